select concat($7::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), '}') as "row"
from (select *
from (select distinct s0."ARN" as c0
from (select "RESOURCE_CONFIG", "ARN"
from lw_cfg_aws_ec2_security_groups
where account = $5::VARCHAR and t >= $3::BIGINT and t < $4::BIGINT) as s0
left join (select "RESOURCE_CONFIG", "RESOURCE_ID"
from lw_cfg_aws_ec2_vpcs
where account = $5::VARCHAR and t >= $3::BIGINT and t < $4::BIGINT) as s1 on json_extract_string(s0."RESOURCE_CONFIG", $1::VARCHAR) = s1."RESOURCE_ID"
where coalesce(not (json_type(s1."RESOURCE_CONFIG", $2::VARCHAR) in ('NULL')), false)) as l
limit $6::BIGINT) as r
-- 1: string /VpcId
-- 2: string $
-- 3: bigint 1000
-- 4: bigint 2000
-- 5: string acme
-- 6: bigint 100
-- 7: string {"ARN":

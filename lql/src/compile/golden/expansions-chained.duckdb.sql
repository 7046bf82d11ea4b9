select concat($9::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), $10::VARCHAR, coalesce(r.c1, 'null'), '}') as "row"
from (select *
from (select distinct e1.k3 as c0, list_transform([list_transform([json_extract_string(e1.k4, $1::VARCHAR)], lambda v3: case when not contains(v3, '_') and not contains(v3, '+-') and isfinite(try_cast(v3 as double)) then {'w': case when regexp_full_match(v3, '[ \t\n\r\f\v]*[+-]?[0-9]+[ \t\n\r\f\v]*') then try_cast(v3 as bigint) end, 'r': try_cast(v3 as double)} end)[1]], lambda v6: case when struct_extract(v6, 'w') is null then list_transform([struct_extract(v6, 'r')], lambda v7: case when trunc(v7) = v7 and try_cast(v7 as bigint) is not null then cast(try_cast(v7 as bigint) as varchar) else cast(v7 as varchar) end)[1] else cast(struct_extract(v6, 'w') as varchar) end)[1] as c1
from (select e0.k0 as k2, e0.k1 as k3, e0.i0 as k4, unnest(cast(json_extract(e0.i0, decode(from_hex('242e22497052616e676573225b2a5d'))) as json[])) as i1
from (select s0."RESOURCE_CONFIG" as k0, s0."ARN" as k1, unnest(cast(json_extract(s0."RESOURCE_CONFIG", decode(from_hex('242e2249705065726d697373696f6e73225b2a5d'))) as json[])) as i0
from (select "RESOURCE_CONFIG", "ARN"
from lw_cfg_aws_ec2_security_groups
where account = $7::VARCHAR and t >= $5::BIGINT and t < $6::BIGINT) as s0) as e0) as e1
where ((list_transform([list_transform([json_extract_string(e1.k4, $1::VARCHAR)], lambda v1: case when not contains(v1, '_') and not contains(v1, '+-') then try_cast(v1 as double) end)[1]], lambda v2: case when isfinite(v2) then v2 end)[1] <= cast($2::BIGINT as double)) and (json_extract_string(e1.i1, $3::VARCHAR) = $4::VARCHAR))) as l
limit $8::BIGINT) as r
-- 1: string /FromPort
-- 2: bigint 22
-- 3: string /CidrIp
-- 4: string 0.0.0.0/0
-- 5: bigint 1000
-- 6: bigint 2000
-- 7: string acme
-- 8: bigint 100
-- 9: string {"ARN":
-- 10: string ,"PORT":

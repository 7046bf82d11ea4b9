select concat({p6:String}, ifNull(toJSONString(r.c0), 'null'), '}') as "row"
from (select *
from (select distinct s0."ARN" as c0
from (select "RESOURCE_CONFIG", "ARN"
from lw_cfg_aws_ec2_security_groups
where account = {p4:String} and t >= {p2:Int64} and t < {p3:Int64}) as s0
left join (select "RESOURCE_CONFIG", "RESOURCE_ID"
from lw_cfg_aws_ec2_vpcs
where account = {p4:String} and t >= {p2:Int64} and t < {p3:Int64}) as s1 on arrayMap((v0) -> if(JSONType(v0) = 'String', JSONExtractString(v0), if(JSONType(v0) = 'Null', null, JSONExtractRaw(v0))), [if(JSONHas(s0."RESOURCE_CONFIG", {p1:String}), JSONExtractRaw(s0."RESOURCE_CONFIG", {p1:String}), null)])[1] = s1."RESOURCE_ID"
where coalesce(not if(s1."RESOURCE_CONFIG" is not null, JSONType(s1."RESOURCE_CONFIG") in ('Null'), null), false)) as l
limit {p5:Int64}) as r
-- 1: string VpcId
-- 2: bigint 1000
-- 3: bigint 2000
-- 4: string acme
-- 5: bigint 100
-- 6: string {"ARN":

select concat({p11:String}, ifNull(toJSONString(r.c0), 'null'), {p12:String}, ifNull(r.c1, 'null'), '}') as "row"
from (select *
from (select distinct e1.k3 as c0, arrayMap((v9) -> case when toInt64OrNull(v9) is null then toString(toFloat64OrNull(v9)) else toString(toInt64OrNull(v9)) end, [arrayMap((v6) -> if(match(v6, '^[ \\t\\n\\r\\f\\v]*[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?[ \\t\\n\\r\\f\\v]*$'), trimBoth(v6), null), [arrayMap((v5) -> if(JSONType(v5) = 'String', JSONExtractString(v5), if(JSONType(v5) = 'Null', null, JSONExtractRaw(v5))), [if(JSONHas(e1.k4, {p3:String}), JSONExtractRaw(e1.k4, {p3:String}), null)])[1]])[1]])[1] as c1
from (select e0.k0 as k2, e0.k1 as k3, e0.i0 as k4, arrayJoin(cast(JSONExtractArrayRaw(ifNull(e0.i0, ''), {p2:String}) as Array(Nullable(String)))) as i1
from (select s0."RESOURCE_CONFIG" as k0, s0."ARN" as k1, arrayJoin(cast(JSONExtractArrayRaw(ifNull(s0."RESOURCE_CONFIG", ''), {p1:String}) as Array(Nullable(String)))) as i0
from (select "RESOURCE_CONFIG", "ARN"
from lw_cfg_aws_ec2_security_groups
where account = {p9:String} and t >= {p7:Int64} and t < {p8:Int64}) as s0) as e0) as e1
where ((arrayMap((v3) -> if(isFinite(v3), v3, null), [arrayMap((v2) -> if(match(v2, '^[ \\t\\n\\r\\f\\v]*[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?[ \\t\\n\\r\\f\\v]*$'), toFloat64OrNull(trimBoth(v2)), null), [arrayMap((v0) -> if(JSONType(v0) = 'String', JSONExtractString(v0), if(JSONType(v0) = 'Null', null, JSONExtractRaw(v0))), [if(JSONHas(e1.k4, {p3:String}), JSONExtractRaw(e1.k4, {p3:String}), null)])[1]])[1]])[1] <= toFloat64({p4:Int64})) and (arrayMap((v4) -> if(JSONType(v4) = 'String', JSONExtractString(v4), if(JSONType(v4) = 'Null', null, JSONExtractRaw(v4))), [if(JSONHas(e1.i1, {p5:String}), JSONExtractRaw(e1.i1, {p5:String}), null)])[1] = {p6:String}))) as l
limit {p10:Int64}) as r
-- 1: string IpPermissions
-- 2: string IpRanges
-- 3: string FromPort
-- 4: bigint 22
-- 5: string CidrIp
-- 6: string 0.0.0.0/0
-- 7: bigint 1000
-- 8: bigint 2000
-- 9: string acme
-- 10: bigint 100
-- 11: string {"ARN":
-- 12: string ,"PORT":

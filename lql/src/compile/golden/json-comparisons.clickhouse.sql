select concat({p14:String}, ifNull(toString(r.c0), 'null'), {p15:String}, ifNull(r.c1, 'null'), '}') as "row"
from (select *
from (select s0."INSERT_ID" as c0, s0."EVENT" as c1
from (select "EVENT", "INSERT_ID"
from cloudtrailrawevents
where account = {p12:String} and t >= {p10:Int64} and t < {p11:Int64}) as s0
where ((arrayMap((v0) -> if(JSONType(v0) = 'String', JSONExtractString(v0), if(JSONType(v0) = 'Null', null, JSONExtractRaw(v0))), [if(JSONHas(s0."EVENT", {p1:String}, {p2:String}), JSONExtractRaw(s0."EVENT", {p1:String}, {p2:String}), null)])[1] = {p3:String}) and (arrayMap((v1) -> if(JSONType(v1) = 'String', JSONExtractString(v1), if(JSONType(v1) = 'Null', null, JSONExtractRaw(v1))), [if(JSONHas(s0."EVENT", {p4:String}), JSONExtractRaw(s0."EVENT", {p4:String}), null)])[1] = {p5:String}) and (arrayMap((v5) -> if(isFinite(v5), v5, null), [arrayMap((v4) -> if(match(v4, '^[ \\t\\n\\r\\f\\v]*[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?[ \\t\\n\\r\\f\\v]*$'), toFloat64OrNull(trimBoth(v4)), null), [arrayMap((v2) -> if(JSONType(v2) = 'String', JSONExtractString(v2), if(JSONType(v2) = 'Null', null, JSONExtractRaw(v2))), [if(JSONHas(s0."EVENT", {p6:String}, {p7:String}), JSONExtractRaw(s0."EVENT", {p6:String}, {p7:String}), null)])[1]])[1]])[1] > toFloat64({p8:Int64})) and (arrayMap((v7) -> multiIf(v7 = 'true', true, v7 = 'false', false, null), [lowerUTF8(arrayMap((v6) -> if(JSONType(v6) = 'String', JSONExtractString(v6), if(JSONType(v6) = 'Null', null, JSONExtractRaw(v6))), [if(JSONHas(s0."EVENT", {p9:String}), JSONExtractRaw(s0."EVENT", {p9:String}), null)])[1])])[1] = true))) as l
limit {p13:Int64}) as r
-- 1: string userIdentity
-- 2: string type
-- 3: string Root
-- 4: string readOnly
-- 5: string false
-- 6: string responseElements
-- 7: string count
-- 8: bigint 3
-- 9: string flag
-- 10: bigint 1000
-- 11: bigint 2000
-- 12: string acme
-- 13: bigint 100
-- 14: string {"INSERT_ID":
-- 15: string ,"EVENT":

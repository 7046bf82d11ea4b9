select concat({p10:String}, ifNull(toJSONString(r.c0), 'null'), {p11:String}, ifNull(toString(r.c1), 'null'), '}') as "row"
from (select *
from (select coalesce(s0."HOME_DIR", {p5:String}) as c0, case when if(s0."OTHER_GROUP_NAMES" is not null, JSONType(s0."OTHER_GROUP_NAMES") in ('Array'), null) then toInt64(JSONLength(s0."OTHER_GROUP_NAMES")) end as c1
from (select "OTHER_GROUP_NAMES", "HOME_DIR"
from lw_he_users
where account = {p8:String} and t >= {p6:Int64} and t < {p7:Int64}) as s0
where (arrayMap((v0) -> arrayExists(v1 -> ifNull(if(JSONType(v1) = 'String', JSONExtractString(v1), if(JSONType(v1) = 'Null', null, JSONExtractRaw(v1))) = {p1:String} or if(JSONType(v1) = 'String', JSONExtractString(v1), if(JSONType(v1) = 'Null', null, JSONExtractRaw(v1))) = {p2:String}, false), v0), [cast(JSONExtractArrayRaw(ifNull(s0."OTHER_GROUP_NAMES", '')) as Array(Nullable(String)))])[1] or if(JSONHas(s0."OTHER_GROUP_NAMES", {p3:String}), JSONType(s0."OTHER_GROUP_NAMES", {p3:String}) in ('Null'), null) or (not (not (if(JSONHas(s0."OTHER_GROUP_NAMES", {p4:String}), JSONExtractRaw(s0."OTHER_GROUP_NAMES", {p4:String}), null) is null))))) as l
limit {p9:Int64}) as r
-- 1: string wheel
-- 2: string sudo
-- 3: string a b
-- 4: string x
-- 5: string none
-- 6: bigint 1000
-- 7: bigint 2000
-- 8: string acme
-- 9: bigint 100
-- 10: string {"HOME":
-- 11: string ,"GROUPS":

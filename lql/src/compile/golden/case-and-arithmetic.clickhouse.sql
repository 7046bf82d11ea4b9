select concat({p11:String}, ifNull(r.c0, 'null'), {p12:String}, ifNull(toJSONString(r.c1), 'null'), {p13:String}, ifNull(toString(r.c2), 'null'), '}') as "row"
from (select *
from (select arrayMap((v2) -> case when toInt64OrNull(v2) is null then toString(toFloat64OrNull(v2)) else toString(toInt64OrNull(v2)) end, [case when (s0."SIZE" is null) then case when {p2:Int64} is not null then coalesce(toString({p2:Int64}), toString(toFloat64({p2:Int64}))) end when (s0."SIZE" > {p1:Int64}) then arrayMap((v1) -> case when v1 is not null then coalesce(toString(cast(null as Nullable(Int64))), toString(v1)) end, [arrayMap((v0) -> if(isFinite(v0), v0, null), [(toFloat64(s0."SIZE") / toFloat64({p3:Int64}))])[1]])[1] else toString(accurateCastOrNull(toInt128({p2:Int64}) - toInt128(s0."SIZE"), 'Int64')) end])[1] as c0, concat(s0."PATH", {p4:String}, s0."OWNER_USERNAME") as c1, accurateCastOrNull(toInt128(if({p5:Int64} = 0, null, s0."SIZE" % {p5:Int64})) + toInt128(accurateCastOrNull(toInt128(s0."BLOCK_COUNT") * toInt128({p6:Int64}), 'Int64')), 'Int64') as c2
from (select "PATH", "OWNER_USERNAME", "SIZE", "BLOCK_COUNT"
from lw_he_files
where account = {p9:String} and t >= {p7:Int64} and t < {p8:Int64}) as s0) as l
limit {p10:Int64}) as r
-- 1: bigint 10
-- 2: bigint 0
-- 3: bigint 2
-- 4: string :
-- 5: bigint 7
-- 6: bigint 512
-- 7: bigint 1000
-- 8: bigint 2000
-- 9: string acme
-- 10: bigint 100
-- 11: string {"HALF":
-- 12: string ,"WHO":
-- 13: string ,"REST":

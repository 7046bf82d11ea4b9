select concat({p11:String}, ifNull(r.c0, 'null'), {p12:String}, ifNull(toJSONString(r.c1), 'null'), {p13:String}, ifNull(r.c2, 'null'), '}') as "row"
from (select *
from (select arrayMap((v10) -> case when toInt64OrNull(v10) is null then toString(toFloat64OrNull(v10)) else toString(toInt64OrNull(v10)) end, [case when (s0."SIZE" is null) then case when {p2:Int64} is not null then coalesce(toString({p2:Int64}), toString(toFloat64({p2:Int64}))) end when (s0."SIZE" > {p1:Int64}) then arrayMap((v2) -> case when v2 is not null then coalesce(toString(cast(null as Nullable(Int64))), toString(v2)) end, [arrayMap((v0) -> if(isFinite(v0), v0, null), [(toFloat64(s0."SIZE") / toFloat64({p3:Int64}))])[1]])[1] else toString(arrayMap((v1) -> if(isFinite(v1), v1, null), [accurateCastOrNull((toInt256(toInt64(0)) - s0."SIZE"), 'Int64')])[1]) end])[1] as c0, concat(s0."PATH", {p4:String}, s0."OWNER_USERNAME") as c1, arrayMap((v11) -> case when toInt64OrNull(v11) is null then toString(toFloat64OrNull(v11)) else toString(toInt64OrNull(v11)) end, [arrayMap((v3, v4, v5, v6) -> case when toInt64OrNull(v3) is not null and toInt64OrNull(v4) is not null and toInt64OrNull(v5) is not null and toInt64OrNull(v6) is not null then arrayMap((v7) -> case when v7 is not null then coalesce(toString(v7), toString(toFloat64(v7))) end, [accurateCastOrNull((toInt256((toInt256(toInt64OrNull(v3)) % nullIf(toInt64OrNull(v4), 0))) + (toInt256(toInt64OrNull(v5)) * toInt64OrNull(v6))), 'Int64')])[1] else arrayMap((v9) -> case when v9 is not null then coalesce(toString(cast(null as Nullable(Int64))), toString(v9)) end, [arrayMap((v8) -> if(isFinite(v8), v8, null), [((toFloat64OrNull(v3) % nullIf(toFloat64OrNull(v4), 0)) + (toFloat64OrNull(v5) * toFloat64OrNull(v6)))])[1]])[1] end, [toString(s0."SIZE")], [case when {p5:Int64} is not null then coalesce(toString({p5:Int64}), toString(toFloat64({p5:Int64}))) end], [toString(s0."BLOCK_COUNT")], [case when {p6:Int64} is not null then coalesce(toString({p6:Int64}), toString(toFloat64({p6:Int64}))) end])[1]])[1] as c2
from (select "SIZE", "PATH", "OWNER_USERNAME", "BLOCK_COUNT"
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

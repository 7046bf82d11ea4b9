select concat({p9:String}, ifNull(toJSONString(r.c0), 'null'), {p10:String}, ifNull(toString(r.c1), 'null'), '}') as "row"
from (select *
from (select s0."USERNAME" as c0, dateDiff('minute', fromUnixTimestamp64Milli(if(s0."LOGIN_TIME" between -2208988800000 and 10413791999999, s0."LOGIN_TIME", null), 'UTC'), fromUnixTimestamp64Milli(if(s0."LOGOFF_TIME" between -2208988800000 and 10413791999999, s0."LOGOFF_TIME", null), 'UTC')) as c1
from (select "LOGIN_TIME", "USERNAME", "LOGOFF_TIME"
from lw_ha_user_logins
where account = {p7:String} and t >= {p5:Int64} and t < {p6:Int64}) as s0
where ((s0."LOGIN_TIME" > arrayMap((v1) -> if(v1 between -2208988800000 and 10413791999999, v1, null), [accurateCastOrNull(toInt128(arrayMap((v0) -> if(v0 between -2208988800000 and 10413791999999, v0, null), [accurateCastOrNull(toInt128({p2:Int64}) * 1000, 'Int64')])[1]) + toInt128(accurateCastOrNull((toInt256(toInt64(0)) - {p1:Int64}), 'Int64')) * 86400000, 'Int64')])[1]) and ((toInt64(toHour(fromUnixTimestamp64Milli(if(s0."LOGIN_TIME" between -2208988800000 and 10413791999999, s0."LOGIN_TIME", null), 'UTC'))) >= {p3:Int64}) and (toInt64(toHour(fromUnixTimestamp64Milli(if(s0."LOGIN_TIME" between -2208988800000 and 10413791999999, s0."LOGIN_TIME", null), 'UTC'))) <= {p4:Int64})))) as l
limit {p8:Int64}) as r
-- 1: bigint 7
-- 2: bigint 1714568400
-- 3: bigint 0
-- 4: bigint 5
-- 5: bigint 1000
-- 6: bigint 2000
-- 7: string acme
-- 8: bigint 100
-- 9: string {"USERNAME":
-- 10: string ,"MINUTES":

select concat({p10:String}, ifNull(toJSONString(r.c0), 'null'), {p11:String}, ifNull(toString(r.c1), 'null'), {p12:String}, ifNull(toJSONString(concat(formatDateTime(fromUnixTimestamp64Milli(if(r.c2 between -2208988800000 and 10413791999999, r.c2, null), 'UTC'), '%Y-%m-%dT%H:%i:%S'), '.', leftPad(toString(positiveModulo(r.c2, 1000)), 3, '0'), 'Z')), 'null'), '}') as "row"
from (select *
from (select s0."PATH" as c0, s0."SIZE" as c1, s0."FILE_CREATED_TIME" as c2
from (select "SIZE", "PATH", "OWNER_USERNAME", "FILE_CREATED_TIME"
from lw_he_files
where account = {p8:String} and t >= {p6:Int64} and t < {p7:Int64}) as s0
where ((s0."SIZE" > {p1:Int64}) and (s0."PATH" = {p2:String}) and (s0."OWNER_USERNAME" in ({p3:String}, {p4:String})) and (s0."FILE_CREATED_TIME" >= multiIf(match({p5:String}, '^\\d{13}$'), toInt64OrNull({p5:String}), match({p5:String}, '^\\d{1,10}$'), arrayMap((v0) -> if(v0 between -2208988800000 and 10413791999999, v0, null), [accurateCastOrNull(toInt128(toInt64OrNull({p5:String})) * 1000, 'Int64')])[1], match({p5:String}, '^\\d{4}-\\d{2}-\\d{2}([T ]|$)'), arrayMap((v1) -> if(v1 between -2208988800000 and 10413791999999, v1, null), [toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull({p5:String}, 3, 'UTC'))])[1], null)))) as l
limit {p9:Int64}) as r
-- 1: bigint 1024
-- 2: string /etc/passwd
-- 3: string root
-- 4: string daemon
-- 5: string 2024-05-01
-- 6: bigint 1000
-- 7: bigint 2000
-- 8: string acme
-- 9: bigint 100
-- 10: string {"PATH":
-- 11: string ,"SIZE":
-- 12: string ,"FILE_CREATED_TIME":

select concat({p10:String}, ifNull(toJSONString(r.c0), 'null'), {p11:String}, ifNull(toString(r.c1), 'null'), {p12:String}, ifNull(toJSONString(concat(formatDateTime(fromUnixTimestamp64Milli(if(r.c2 between -2208988800000 and 10413791999999, r.c2, null), 'UTC'), '%Y-%m-%dT%H:%i:%S'), '.', leftPad(toString(positiveModulo(r.c2, 1000)), 3, '0'), 'Z')), 'null'), '}') as "row"
from (select *
from (select s0."PATH" as c0, s0."SIZE" as c1, s0."FILE_CREATED_TIME" as c2
from (select "SIZE", "PATH", "OWNER_USERNAME", "FILE_CREATED_TIME"
from lw_he_files
where account = {p3:String} and t >= {p1:Int64} and t < {p2:Int64}) as s0
where ((s0."SIZE" > {p4:Int64}) and (s0."PATH" = {p5:String}) and (s0."OWNER_USERNAME" in ({p6:String}, {p7:String})) and (s0."FILE_CREATED_TIME" >= multiIf(match({p8:String}, '^\\d{13}$'), toInt64OrNull({p8:String}), match({p8:String}, '^\\d{1,10}$'), arrayMap((v0) -> if(v0 between -2208988800000 and 10413791999999, v0, null), [accurateCastOrNull(toInt128(toInt64OrNull({p8:String})) * 1000, 'Int64')])[1], match({p8:String}, '^\\d{4}-\\d{2}-\\d{2}([T ]|$)'), arrayMap((v1) -> if(v1 between -2208988800000 and 10413791999999, v1, null), [toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull({p8:String}, 3, 'UTC'))])[1], null)))) as l
limit {p9:Int64}) as r
-- 1: bigint 1000
-- 2: bigint 2000
-- 3: string acme
-- 4: bigint 1024
-- 5: string /etc/passwd
-- 6: string root
-- 7: string daemon
-- 8: string 2024-05-01
-- 9: bigint 100
-- 10: string {"PATH":
-- 11: string ,"SIZE":
-- 12: string ,"FILE_CREATED_TIME":

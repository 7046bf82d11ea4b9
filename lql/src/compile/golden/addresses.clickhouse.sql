select concat({p6:String}, ifNull(toJSONString(r.c0), 'null'), {p7:String}, ifNull(toString(r.c1), 'null'), '}') as "row"
from (select *
from (select s0."IP_ADDR" as c0, multiIf(isIPv4String(splitByChar('/', s0."IP_ADDR")[1]), 4, isIPv6String(splitByChar('/', s0."IP_ADDR")[1]), 6, null) as c1
from (select "IP_ADDR"
from lw_ha_user_logins
where account = {p4:String} and t >= {p2:Int64} and t < {p3:Int64}) as s0
where (not if(multiIf(isIPv4String(splitByChar('/', {p1:String})[1]), isIPv4String(splitByChar('/', s0."IP_ADDR")[1]), isIPv6String(splitByChar('/', {p1:String})[1]), isIPv6String(splitByChar('/', s0."IP_ADDR")[1]), null), multiIf(isIPv4String(splitByChar('/', {p1:String})[1]), coalesce(toInt64OrNull(splitByChar('/', {p1:String})[2]), 32), isIPv6String(splitByChar('/', {p1:String})[1]), coalesce(toInt64OrNull(splitByChar('/', {p1:String})[2]), 128), null) <= multiIf(isIPv4String(splitByChar('/', s0."IP_ADDR")[1]), coalesce(toInt64OrNull(splitByChar('/', s0."IP_ADDR")[2]), 32), isIPv6String(splitByChar('/', s0."IP_ADDR")[1]), coalesce(toInt64OrNull(splitByChar('/', s0."IP_ADDR")[2]), 128), null) and isIPAddressInRange(splitByChar('/', s0."IP_ADDR")[1], concat(splitByChar('/', {p1:String})[1], '/', toString(multiIf(isIPv4String(splitByChar('/', {p1:String})[1]), coalesce(toInt64OrNull(splitByChar('/', {p1:String})[2]), 32), isIPv6String(splitByChar('/', {p1:String})[1]), coalesce(toInt64OrNull(splitByChar('/', {p1:String})[2]), 128), null)))), multiIf(isIPv4String(splitByChar('/', {p1:String})[1]), isIPv4String(splitByChar('/', s0."IP_ADDR")[1]), isIPv6String(splitByChar('/', {p1:String})[1]), isIPv6String(splitByChar('/', s0."IP_ADDR")[1]), null)))) as l
limit {p5:Int64}) as r
-- 1: string 10.0.0.0/8
-- 2: bigint 1000
-- 3: bigint 2000
-- 4: string acme
-- 5: bigint 100
-- 6: string {"IP_ADDR":
-- 7: string ,"FAMILY":

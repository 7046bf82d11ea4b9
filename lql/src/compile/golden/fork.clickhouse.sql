select concat({p5:String}, ifNull(toJSONString(r.c0), 'null'), {p6:String}, ifNull(toJSONString(r.c1), 'null'), '}') as "row"
from (select *
from (select s0."CMDLINE" as c0, s1."HOSTNAME" as c1
from (select "MID", "USERNAME", "CMDLINE"
from lw_he_processes
where account = {p3:String} and t >= {p1:Int64} and t < {p2:Int64}) as s0
left join (select "MID", "HOSTNAME"
from lw_he_machines
where account = {p3:String} and t >= {p1:Int64} and t < {p2:Int64}) as s1 on s0."MID" = s1."MID"
left join (select "HOME_DIR", "MID", "USERNAME"
from lw_he_users
where account = {p3:String} and t >= {p1:Int64} and t < {p2:Int64}) as s2 on s0."MID" = s2."MID" and s0."USERNAME" = s2."USERNAME"
where (s2."HOME_DIR" is null)) as l
limit {p4:Int64}) as r
-- 1: bigint 1000
-- 2: bigint 2000
-- 3: string acme
-- 4: bigint 100
-- 5: string {"CMDLINE":
-- 6: string ,"HOSTNAME":

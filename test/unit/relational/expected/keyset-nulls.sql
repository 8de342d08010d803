-- sort=changedAt&{"direction":"after","inclusive":false,"values":["2024-03-04T05:06:07.123Z",7]}
-- postgresql, data: ["2024-03-04T05:06:07.123Z", 7]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where ("articles"."changed_at", "articles"."id") > ($1, $2) order by "articles"."changed_at" asc, "articles"."id" asc limit 11;
-- mysql, data: ["2024-03-04 05:06:07.123", "2024-03-04 05:06:07.123", "2024-03-04 05:06:07.123", 7]
select `articles`.`id`, `articles`.`name`, `articles`.`changed_at` from `articles` as `articles` where `articles`.`changed_at` >= ? and (`articles`.`changed_at` > ? or (`articles`.`changed_at` = ? and `articles`.`id` > ?)) order by `articles`.`changed_at` asc, `articles`.`id` asc limit 11;
-- sqlite, data: ["2024-03-04T05:06:07.123Z", 7, 11]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where ("articles"."changed_at", "articles"."id") > (+?, cast(? as integer)) order by "articles"."changed_at" asc, "articles"."id" asc limit +?;

-- sort=changedAt&{"direction":"after","inclusive":false,"values":[null,7]}
-- postgresql, data: [7]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where ("articles"."changed_at" is not null or ("articles"."changed_at" is null and "articles"."id" > $1)) order by "articles"."changed_at" asc nulls first, "articles"."id" asc limit 11;
-- mysql, data: [7]
select `articles`.`id`, `articles`.`name`, `articles`.`changed_at` from `articles` as `articles` where (`articles`.`changed_at` is not null or (`articles`.`changed_at` is null and `articles`.`id` > ?)) order by `articles`.`changed_at` asc, `articles`.`id` asc limit 11;
-- sqlite, data: [7, 11]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where ("articles"."changed_at" is not null or ("articles"."changed_at" is null and "articles"."id" > cast(? as integer))) order by "articles"."changed_at" asc, "articles"."id" asc limit +?;

-- sort=changedAt&{"direction":"before","inclusive":false,"values":["2024-03-04T05:06:07.123Z",7]}
-- postgresql, data: ["2024-03-04T05:06:07.123Z", 7]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where (("articles"."changed_at" < $1 or "articles"."changed_at" is null) or ("articles"."changed_at" = $1 and "articles"."id" < $2)) order by "articles"."changed_at" desc nulls last, "articles"."id" desc limit 11;
-- mysql, data: ["2024-03-04 05:06:07.123", "2024-03-04 05:06:07.123", 7]
select `articles`.`id`, `articles`.`name`, `articles`.`changed_at` from `articles` as `articles` where ((`articles`.`changed_at` < ? or `articles`.`changed_at` is null) or (`articles`.`changed_at` = ? and `articles`.`id` < ?)) order by `articles`.`changed_at` desc, `articles`.`id` desc limit 11;
-- sqlite, data: ["2024-03-04T05:06:07.123Z", "2024-03-04T05:06:07.123Z", 7, 11]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where (("articles"."changed_at" < +? or "articles"."changed_at" is null) or ("articles"."changed_at" = +? and "articles"."id" < cast(? as integer))) order by "articles"."changed_at" desc, "articles"."id" desc limit +?;

-- sort=changedAt&{"direction":"before","inclusive":false,"values":[null,7]}
-- postgresql, data: [7]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where "articles"."changed_at" is null and "articles"."id" < $1 order by "articles"."changed_at" desc, "articles"."id" desc limit 11;
-- mysql, data: [7]
select `articles`.`id`, `articles`.`name`, `articles`.`changed_at` from `articles` as `articles` where `articles`.`changed_at` is null and `articles`.`id` < ? order by `articles`.`id` desc limit 11;
-- sqlite, data: [7, 11]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where "articles"."changed_at" is null and "articles"."id" < cast(? as integer) order by "articles"."id" desc limit +?;

-- sort=-changedAt&{"direction":"after","inclusive":false,"values":[null,7]}
-- postgresql, data: [7]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where "articles"."changed_at" is null and "articles"."id" < $1 order by "articles"."changed_at" desc, "articles"."id" desc limit 11;
-- mysql, data: [7]
select `articles`.`id`, `articles`.`name`, `articles`.`changed_at` from `articles` as `articles` where `articles`.`changed_at` is null and `articles`.`id` < ? order by `articles`.`id` desc limit 11;
-- sqlite, data: [7, 11]
select "articles"."id", "articles"."name", "articles"."changed_at" from "articles" as "articles" where "articles"."changed_at" is null and "articles"."id" < cast(? as integer) order by "articles"."id" desc limit +?;

-- sort=stock,-changedAt&{"direction":"after","inclusive":false,"values":[5,"2024-03-04T05:06:07.123Z",7]}
-- postgresql, data: [5, "2024-03-04T05:06:07.123Z", 7]
select "articles"."id", "articles"."name", "articles"."stock", "articles"."changed_at" from "articles" as "articles" where (("articles"."stock" > $1 or "articles"."stock" is null) or ("articles"."stock" = $1 and (("articles"."changed_at" < $2 or "articles"."changed_at" is null) or ("articles"."changed_at" = $2 and "articles"."id" < $3)))) order by "articles"."stock" asc, "articles"."changed_at" desc nulls last, "articles"."id" desc limit 11;
-- mysql, data: [5, 5, "2024-03-04 05:06:07.123", "2024-03-04 05:06:07.123", 7]
select `articles`.`id`, `articles`.`name`, `articles`.`stock`, `articles`.`changed_at` from `articles` as `articles` where ((`articles`.`stock` > ? or `articles`.`stock` is null) or (`articles`.`stock` = ? and ((`articles`.`changed_at` < ? or `articles`.`changed_at` is null) or (`articles`.`changed_at` = ? and `articles`.`id` < ?)))) order by `articles`.`stock` is null asc, `articles`.`stock` asc, `articles`.`changed_at` desc, `articles`.`id` desc limit 11;
-- sqlite, data: [5, 5, "2024-03-04T05:06:07.123Z", "2024-03-04T05:06:07.123Z", 7, 11]
select "articles"."id", "articles"."name", case when "articles"."stock" between -9007199254740991 and 9007199254740991 then "articles"."stock" when "articles"."stock" < '' then quote("articles"."stock") else "articles"."stock" end, "articles"."changed_at" from "articles" as "articles" where (("articles"."stock" > cast(? as integer) or "articles"."stock" is null) or ("articles"."stock" = cast(? as integer) and (("articles"."changed_at" < +? or "articles"."changed_at" is null) or ("articles"."changed_at" = +? and "articles"."id" < cast(? as integer))))) order by "articles"."stock" asc nulls last, "articles"."changed_at" desc, "articles"."id" desc limit +?;

-- sort=maker.name&{"direction":"after","inclusive":true,"values":["Ada",7]}
-- postgresql, data: ["Ada", 7]
select "articles"."id", "articles"."name", "t1"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where "t1"."name" >= $1 and ("t1"."name" > $1 or ("t1"."name" = $1 and ("articles"."id" > $2 or "articles"."id" = $2))) order by "t1"."name" asc, "articles"."id" asc limit 11;
-- mysql, data: ["Ada", "Ada", "Ada", 7, 7]
select `articles`.`id`, `articles`.`name`, `t1`.`name` from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` where `t1`.`name` >= ? and (`t1`.`name` > ? or (`t1`.`name` = ? and (`articles`.`id` > ? or `articles`.`id` = ?))) order by `t1`.`name` asc, `articles`.`id` asc limit 11;
-- sqlite, data: ["Ada", "Ada", "Ada", 7, 7, 11]
select "articles"."id", "articles"."name", "t1"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where "t1"."name" >= +? and ("t1"."name" > +? or ("t1"."name" = +? and ("articles"."id" > cast(? as integer) or "articles"."id" = cast(? as integer)))) order by "t1"."name" asc, "articles"."id" asc limit +?;

-- sort=maker.name&{"direction":"before","inclusive":true,"values":[null,7]}
-- postgresql, data: [7]
select "articles"."id", "articles"."name", "t1"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where "t1"."name" is null and ("articles"."id" < $1 or "articles"."id" = $1) order by "t1"."name" desc, "articles"."id" desc limit 11;
-- mysql, data: [7, 7]
select `articles`.`id`, `articles`.`name`, `t1`.`name` from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` where `t1`.`name` is null and (`articles`.`id` < ? or `articles`.`id` = ?) order by `articles`.`id` desc limit 11;
-- sqlite, data: [7, 7, 11]
select "articles"."id", "articles"."name", "t1"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where "t1"."name" is null and ("articles"."id" < cast(? as integer) or "articles"."id" = cast(? as integer)) order by "articles"."id" desc limit +?;

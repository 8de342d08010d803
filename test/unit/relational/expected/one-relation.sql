-- filter[maker.name]=Ada&sort=-maker.name&includes=maker
-- postgresql, data: ["Ada"]
select "articles"."id", "articles"."name", "t1"."id", "t1"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where "t1"."name" = $1 order by "t1"."name" desc nulls last, "articles"."id" desc limit 10;
-- postgresql, count: ["Ada"]
select count(*) from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where "t1"."name" = $1;
-- mysql, data: ["Ada"]
select `articles`.`id`, `articles`.`name`, `t1`.`id`, `t1`.`name` from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` where `t1`.`name` = ? order by `t1`.`name` desc, `articles`.`id` desc limit 10;
-- mysql, count: ["Ada"]
select count(*) from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` where `t1`.`name` = ?;
-- sqlite, data: ["Ada", 10]
select "articles"."id", "articles"."name", "t1"."id", "t1"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where "t1"."name" = ? order by "t1"."name" desc, "articles"."id" desc limit +?;
-- sqlite, count: ["Ada"]
select count(*) from "articles" as "articles" inner join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where "t1"."name" = ?;

-- filter[maker][isNull]=true&filter[maker.name][notLike]=b
-- postgresql, data: ["%b%"]
select "articles"."id", "articles"."name" from "articles" as "articles" left join "makers" as "t2" on "t2"."id" = "articles"."maker_id" where (not exists (select 1 from "makers" as "t1" where "t1"."id" = "articles"."maker_id") and not ("t2"."name" like $1)) order by "articles"."id" asc limit 10;
-- postgresql, count: ["%b%"]
select count(*) from "articles" as "articles" left join "makers" as "t2" on "t2"."id" = "articles"."maker_id" where (not exists (select 1 from "makers" as "t1" where "t1"."id" = "articles"."maker_id") and not ("t2"."name" like $1));
-- mysql, data: ["%b%"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (not exists (select 1 from `makers` as `t1` where `t1`.`id` = `articles`.`maker_id`) and (select 1 from `makers` as `t2` where `t2`.`id` = `articles`.`maker_id` and not (`t2`.`name` like ? escape '!') limit 1) is not null) order by `articles`.`id` asc limit 10;
-- mysql, count: ["%b%"]
select count(*) from `articles` as `articles` left join `makers` as `t2` on `t2`.`id` = `articles`.`maker_id` where (not exists (select 1 from `makers` as `t1` where `t1`.`id` = `articles`.`maker_id`) and not (`t2`.`name` like ? escape '!'));
-- sqlite, data: ["*b*", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" left join "makers" as "t2" on "t2"."id" = "articles"."maker_id" where (not exists (select 1 from "makers" as "t1" where "t1"."id" = "articles"."maker_id") and not ("t2"."name" glob +?)) order by "articles"."id" asc limit +?;
-- sqlite, count: ["*b*"]
select count(*) from "articles" as "articles" inner join "makers" as "t4" on "t4"."id" = "articles"."maker_id" where (("articles"."maker_id" is null or "articles"."maker_id" in (select "t2"."maker_id" from (select distinct "t1"."maker_id" from "articles" as "t1") as "t2" where not exists (select 1 from "makers" as "t3" where "t3"."id" = "t2"."maker_id"))) and not ("t4"."name" glob +?));

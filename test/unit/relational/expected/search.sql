-- search=Ada&filter[stock][gt]=1
-- postgresql, data: [1, "%ada%", "%ada%"]
select "articles"."id", "articles"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where ("articles"."stock" > $1 and ("articles"."name_folded" like $2 or "t1"."name_folded" like $3)) order by "articles"."id" asc limit 10;
-- postgresql, count: [1, "%ada%", "%ada%"]
select count(*) from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where ("articles"."stock" > $1 and ("articles"."name_folded" like $2 or "t1"."name_folded" like $3));
-- mysql, data: [1, "%ada%", "%ada%"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` where (`articles`.`stock` > ? and (`articles`.`name_folded` like ? escape '!' or `t1`.`name_folded` like ? escape '!')) order by `articles`.`id` asc limit 10;
-- mysql, count: [1, "%ada%", "%ada%"]
select count(*) from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` where (`articles`.`stock` > ? and (`articles`.`name_folded` like ? escape '!' or `t1`.`name_folded` like ? escape '!'));
-- sqlite, data: [1, "*ada*", "*ada*", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where ("articles"."stock" > cast(? as integer) and ("articles"."name_folded" glob +? or "t1"."name_folded" glob +?)) order by "articles"."id" asc limit +?;
-- sqlite, count: [1, "*ada*", "*ada*"]
select count(*) from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where ("articles"."stock" > cast(? as integer) and ("articles"."name_folded" glob +? or "t1"."name_folded" glob +?));

-- filter[maker.articles.labels.text]=red
-- postgresql, data: ["red"]
select "articles"."id", "articles"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where exists (select 1 from "articles" as "t2" where "t2"."maker_id" = "t1"."id" and exists (select 1 from "article_labels" as "t3" inner join "labels" as "t4" on "t4"."id" = "t3"."label_id" where "t3"."article_id" = "t2"."id" and "t4"."text" = $1)) order by "articles"."id" asc limit 10;
-- postgresql, count: ["red"]
select count(*) from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where exists (select 1 from "articles" as "t2" where "t2"."maker_id" = "t1"."id" and exists (select 1 from "article_labels" as "t3" inner join "labels" as "t4" on "t4"."id" = "t3"."label_id" where "t3"."article_id" = "t2"."id" and "t4"."text" = $1));
-- mysql, data: ["red"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` where (select 1 from `articles` as `t2` where `t2`.`maker_id` = `t1`.`id` and (select 1 from `article_labels` as `t3` inner join `labels` as `t4` on `t4`.`id` = `t3`.`label_id` where `t3`.`article_id` = `t2`.`id` and `t4`.`text` = ? limit 1) is not null limit 1) is not null order by `articles`.`id` asc limit 10;
-- mysql, count: ["red"]
select count(*) from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` where exists (select 1 from `articles` as `t2` where `t2`.`maker_id` = `t1`.`id` and exists (select 1 from `article_labels` as `t3` inner join `labels` as `t4` on `t4`.`id` = `t3`.`label_id` where `t3`.`article_id` = `t2`.`id` and `t4`.`text` = ?));
-- sqlite, data: ["red", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" where exists (select 1 from "articles" as "t2" where "t2"."maker_id" = "t1"."id" and exists (select 1 from "article_labels" as "t3" inner join "labels" as "t4" on "t4"."id" = "t3"."label_id" where "t3"."article_id" = "t2"."id" and "t4"."text" = ?)) order by "articles"."id" asc limit +?;
-- sqlite, count: ["red"]
select count(*) from "articles" as "articles" where "articles"."maker_id" in (select "t1"."id" from "makers" as "t1" where "t1"."id" in (select "t2"."maker_id" from "articles" as "t2" where "t2"."id" in (select "t3"."article_id" from "article_labels" as "t3" inner join "labels" as "t4" on "t4"."id" = "t3"."label_id" where "t4"."text" = ?)));

-- filter[lines.parts.text][like]=a_b
-- postgresql, data: ["%a\\_b%"]
select "articles"."id", "articles"."name" from "articles" as "articles" where exists (select 1 from "lines" as "t1" where "t1"."article_id" = "articles"."id" and exists (select 1 from "parts" as "t2" where "t2"."line_order" = "t1"."order" and "t2"."line_position" = "t1"."position" and "t2"."text" like $1)) order by "articles"."id" asc limit 10;
-- postgresql, count: ["%a\\_b%"]
select count(*) from "articles" as "articles" where exists (select 1 from "lines" as "t1" where "t1"."article_id" = "articles"."id" and exists (select 1 from "parts" as "t2" where "t2"."line_order" = "t1"."order" and "t2"."line_position" = "t1"."position" and "t2"."text" like $1));
-- mysql, data: ["%a!_b%"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (select 1 from `lines` as `t1` where `t1`.`article_id` = `articles`.`id` and (select 1 from `parts` as `t2` where `t2`.`line_order` = `t1`.`order` and `t2`.`line_position` = `t1`.`position` and `t2`.`text` like ? escape '!' limit 1) is not null limit 1) is not null order by `articles`.`id` asc limit 10;
-- mysql, count: ["%a!_b%"]
select count(*) from `articles` as `articles` where exists (select 1 from `lines` as `t1` where `t1`.`article_id` = `articles`.`id` and exists (select 1 from `parts` as `t2` where `t2`.`line_order` = `t1`.`order` and `t2`.`line_position` = `t1`.`position` and `t2`.`text` like ? escape '!'));
-- sqlite, data: ["*a_b*", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where exists (select 1 from "lines" as "t1" where "t1"."article_id" = "articles"."id" and exists (select 1 from "parts" as "t2" where "t2"."line_order" = "t1"."order" and "t2"."line_position" = "t1"."position" and "t2"."text" glob +?)) order by "articles"."id" asc limit +?;
-- sqlite, count: ["*a_b*"]
select count(*) from "articles" as "articles" where "articles"."id" in (select "t1"."article_id" from "lines" as "t1" where ("t1"."order", "t1"."position") in (select "t2"."line_order", "t2"."line_position" from "parts" as "t2" where "t2"."text" glob +?));

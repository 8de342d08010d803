-- filter[lines.amount][gte]=3
-- postgresql, data: [3]
select "articles"."id", "articles"."name" from "articles" as "articles" where exists (select 1 from "lines" as "t1" where "t1"."article_id" = "articles"."id" and "t1"."amount" >= $1) order by "articles"."id" asc limit 10;
-- postgresql, count: [3]
select count(*) from "articles" as "articles" where exists (select 1 from "lines" as "t1" where "t1"."article_id" = "articles"."id" and "t1"."amount" >= $1);
-- mysql, data: [3]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (select 1 from `lines` as `t1` where `t1`.`article_id` = `articles`.`id` and `t1`.`amount` >= ? limit 1) is not null order by `articles`.`id` asc limit 10;
-- mysql, count: [3]
select count(*) from `articles` as `articles` where exists (select 1 from `lines` as `t1` where `t1`.`article_id` = `articles`.`id` and `t1`.`amount` >= ?);
-- sqlite, data: [3, 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where exists (select 1 from "lines" as "t1" where "t1"."article_id" = "articles"."id" and "t1"."amount" >= cast(? as integer)) order by "articles"."id" asc limit +?;
-- sqlite, count: [3]
select count(*) from "articles" as "articles" where "articles"."id" in (select "t1"."article_id" from "lines" as "t1" where "t1"."amount" >= cast(? as integer));

-- filter[labels.text]=red&filter[labels.text][notLike]=b
-- postgresql, data: ["red", "%b%"]
select "articles"."id", "articles"."name" from "articles" as "articles" where (exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id" and "t2"."text" = $1) and exists (select 1 from "article_labels" as "t3" inner join "labels" as "t4" on "t4"."id" = "t3"."label_id" where "t3"."article_id" = "articles"."id" and not ("t4"."text" like $2))) order by "articles"."id" asc limit 10;
-- postgresql, count: ["red", "%b%"]
select count(*) from "articles" as "articles" where (exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id" and "t2"."text" = $1) and exists (select 1 from "article_labels" as "t3" inner join "labels" as "t4" on "t4"."id" = "t3"."label_id" where "t3"."article_id" = "articles"."id" and not ("t4"."text" like $2)));
-- mysql, data: ["red", "%b%"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where ((select 1 from `article_labels` as `t1` inner join `labels` as `t2` on `t2`.`id` = `t1`.`label_id` where `t1`.`article_id` = `articles`.`id` and `t2`.`text` = ? limit 1) is not null and (select 1 from `article_labels` as `t3` inner join `labels` as `t4` on `t4`.`id` = `t3`.`label_id` where `t3`.`article_id` = `articles`.`id` and not (`t4`.`text` like ? escape '!') limit 1) is not null) order by `articles`.`id` asc limit 10;
-- mysql, count: ["red", "%b%"]
select count(*) from `articles` as `articles` where (exists (select 1 from `article_labels` as `t1` inner join `labels` as `t2` on `t2`.`id` = `t1`.`label_id` where `t1`.`article_id` = `articles`.`id` and `t2`.`text` = ?) and exists (select 1 from `article_labels` as `t3` inner join `labels` as `t4` on `t4`.`id` = `t3`.`label_id` where `t3`.`article_id` = `articles`.`id` and not (`t4`.`text` like ? escape '!')));
-- sqlite, data: ["red", "*b*", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where (exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id" and "t2"."text" = ?) and exists (select 1 from "article_labels" as "t3" inner join "labels" as "t4" on "t4"."id" = "t3"."label_id" where "t3"."article_id" = "articles"."id" and not ("t4"."text" glob +?))) order by "articles"."id" asc limit +?;
-- sqlite, count: ["red", "*b*"]
select count(*) from "articles" as "articles" where ("articles"."id" in (select "t1"."article_id" from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t2"."text" = ?) and "articles"."id" in (select "t3"."article_id" from "article_labels" as "t3" inner join "labels" as "t4" on "t4"."id" = "t3"."label_id" where not ("t4"."text" glob +?)));

-- filter[labels][isNull]=true
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" where not exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id") order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles" where not exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id");
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where not exists (select 1 from `article_labels` as `t1` inner join `labels` as `t2` on `t2`.`id` = `t1`.`label_id` where `t1`.`article_id` = `articles`.`id`) order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles` where not exists (select 1 from `article_labels` as `t1` inner join `labels` as `t2` on `t2`.`id` = `t1`.`label_id` where `t1`.`article_id` = `articles`.`id`);
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" where not exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id") order by "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles" where not exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id");

-- filter[stock]=7&filter[labels.text]=red
-- postgresql, data: [7, "red"]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."stock" = $1 and exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id" and "t2"."text" = $2)) order by "articles"."id" asc limit 10;
-- postgresql, count: [7, "red"]
select count(*) from "articles" as "articles" where ("articles"."stock" = $1 and exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id" and "t2"."text" = $2));
-- mysql, data: [7, "red"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`stock` = ? and (select 1 from `article_labels` as `t1` inner join `labels` as `t2` on `t2`.`id` = `t1`.`label_id` where `t1`.`article_id` = `articles`.`id` and `t2`.`text` = ? limit 1) is not null) order by `articles`.`id` asc limit 10;
-- mysql, count: [7, "red"]
select count(*) from `articles` as `articles` where (`articles`.`stock` = ? and exists (select 1 from `article_labels` as `t1` inner join `labels` as `t2` on `t2`.`id` = `t1`.`label_id` where `t1`.`article_id` = `articles`.`id` and `t2`.`text` = ?));
-- sqlite, data: [7, "red", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."stock" = cast(? as integer) and exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id" and "t2"."text" = ?)) order by "articles"."id" asc limit +?;
-- sqlite, count: [7, "red"]
select count(*) from "articles" as "articles" where ("articles"."stock" = cast(? as integer) and exists (select 1 from "article_labels" as "t1" inner join "labels" as "t2" on "t2"."id" = "t1"."label_id" where "t1"."article_id" = "articles"."id" and "t2"."text" = ?));

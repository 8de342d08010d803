-- includes=maker,maker.articles,labels&fields=name,maker.id,maker.name
-- postgresql, data: []
select "articles"."name", "t1"."id", "t1"."name", "articles"."id" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- postgresql, include 1: [[1, 2, 3]]
select c0, "t1"."id" from "makers" as "t1" cross join lateral (select "articles"."name" as c0 from "articles" as "articles" where "t1"."id" = "articles"."maker_id" order by "articles"."id" asc limit 101) as limited where "t1"."id" = any($1);
-- postgresql, include 2: [[1, 2, 3]]
select c0, "t2"."id" from "articles" as "t2" cross join lateral (select "labels"."text" as c0 from "labels" as "labels" inner join "article_labels" as "t1" on "t1"."label_id" = "labels"."id" where "t2"."id" = "t1"."article_id" order by "labels"."id" asc limit 101) as limited where "t2"."id" = any($1);
-- mysql, data: []
select `articles`.`name`, `t1`.`id`, `t1`.`name`, `articles`.`id` from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- mysql, include 1: [1, 2, 3, null]
(select `articles`.`name` as c0, 0 as c1 from `articles` as `articles` where `articles`.`maker_id` = ? order by `articles`.`id` asc limit 101) union all (select `articles`.`name` as c0, 1 as c1 from `articles` as `articles` where `articles`.`maker_id` = ? order by `articles`.`id` asc limit 101) union all (select `articles`.`name` as c0, 2 as c1 from `articles` as `articles` where `articles`.`maker_id` = ? order by `articles`.`id` asc limit 101) union all (select `articles`.`name` as c0, 3 as c1 from `articles` as `articles` where `articles`.`maker_id` = ? order by `articles`.`id` asc limit 101);
-- mysql, include 2: [1, 2, 3, null]
(select `labels`.`text` as c0, 0 as c1 from `labels` as `labels` inner join `article_labels` as `t1` on `t1`.`label_id` = `labels`.`id` where `t1`.`article_id` = ? order by `labels`.`id` asc limit 101) union all (select `labels`.`text` as c0, 1 as c1 from `labels` as `labels` inner join `article_labels` as `t1` on `t1`.`label_id` = `labels`.`id` where `t1`.`article_id` = ? order by `labels`.`id` asc limit 101) union all (select `labels`.`text` as c0, 2 as c1 from `labels` as `labels` inner join `article_labels` as `t1` on `t1`.`label_id` = `labels`.`id` where `t1`.`article_id` = ? order by `labels`.`id` asc limit 101) union all (select `labels`.`text` as c0, 3 as c1 from `labels` as `labels` inner join `article_labels` as `t1` on `t1`.`label_id` = `labels`.`id` where `t1`.`article_id` = ? order by `labels`.`id` asc limit 101);
-- sqlite, data: [10]
select "articles"."name", "t1"."id", "t1"."name", "articles"."id" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" order by "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";
-- sqlite, include 1: [1, 101, 2, 101, 3, 101, null, 101]
select * from (select "articles"."name" as c0, 0 as c1 from "articles" as "articles" where "articles"."maker_id" = cast(? as integer) order by "articles"."id" asc limit +?) union all select * from (select "articles"."name" as c0, 1 as c1 from "articles" as "articles" where "articles"."maker_id" = cast(? as integer) order by "articles"."id" asc limit +?) union all select * from (select "articles"."name" as c0, 2 as c1 from "articles" as "articles" where "articles"."maker_id" = cast(? as integer) order by "articles"."id" asc limit +?) union all select * from (select "articles"."name" as c0, 3 as c1 from "articles" as "articles" where "articles"."maker_id" = cast(? as integer) order by "articles"."id" asc limit +?);
-- sqlite, include 2: [1, 101, 2, 101, 3, 101, null, 101]
select * from (select "labels"."text" as c0, 0 as c1 from "labels" as "labels" inner join "article_labels" as "t1" on "t1"."label_id" = "labels"."id" where "t1"."article_id" = cast(? as integer) order by "labels"."id" asc limit +?) union all select * from (select "labels"."text" as c0, 1 as c1 from "labels" as "labels" inner join "article_labels" as "t1" on "t1"."label_id" = "labels"."id" where "t1"."article_id" = cast(? as integer) order by "labels"."id" asc limit +?) union all select * from (select "labels"."text" as c0, 2 as c1 from "labels" as "labels" inner join "article_labels" as "t1" on "t1"."label_id" = "labels"."id" where "t1"."article_id" = cast(? as integer) order by "labels"."id" asc limit +?) union all select * from (select "labels"."text" as c0, 3 as c1 from "labels" as "labels" inner join "article_labels" as "t1" on "t1"."label_id" = "labels"."id" where "t1"."article_id" = cast(? as integer) order by "labels"."id" asc limit +?);

-- includes=lines,lines.parts
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- postgresql, include 1: [[1, 2, 3]]
select c0, c1, c2, "t1"."id" from "articles" as "t1" cross join lateral (select "lines"."amount" as c0, "lines"."order" as c1, "lines"."position" as c2 from "lines" as "lines" where "t1"."id" = "lines"."article_id" order by "lines"."order" asc, "lines"."position" asc limit 101) as limited where "t1"."id" = any($1);
-- postgresql, include 1.1: [1, 2, 2, 3, 3, 4, 3, 4]
select c0, "t1"."order", "t1"."position" from "lines" as "t1" cross join lateral (select "parts"."text" as c0 from "parts" as "parts" where "t1"."order" = "parts"."line_order" and "t1"."position" = "parts"."line_position" order by "parts"."id" asc limit 101) as limited where ("t1"."order", "t1"."position") in (($1, $2), ($3, $4), ($5, $6), ($7, $8));
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- mysql, include 1: [1, 2, 3, null]
(select `lines`.`amount` as c0, `lines`.`order` as c1, `lines`.`position` as c2, 0 as c3 from `lines` as `lines` where `lines`.`article_id` = ? order by `lines`.`order` asc, `lines`.`position` asc limit 101) union all (select `lines`.`amount` as c0, `lines`.`order` as c1, `lines`.`position` as c2, 1 as c3 from `lines` as `lines` where `lines`.`article_id` = ? order by `lines`.`order` asc, `lines`.`position` asc limit 101) union all (select `lines`.`amount` as c0, `lines`.`order` as c1, `lines`.`position` as c2, 2 as c3 from `lines` as `lines` where `lines`.`article_id` = ? order by `lines`.`order` asc, `lines`.`position` asc limit 101) union all (select `lines`.`amount` as c0, `lines`.`order` as c1, `lines`.`position` as c2, 3 as c3 from `lines` as `lines` where `lines`.`article_id` = ? order by `lines`.`order` asc, `lines`.`position` asc limit 101);
-- mysql, include 1.1: [1, 2, 2, 3, 3, 4, null, null]
(select `parts`.`text` as c0, 0 as c1 from `parts` as `parts` where `parts`.`line_order` = ? and `parts`.`line_position` = ? order by `parts`.`id` asc limit 101) union all (select `parts`.`text` as c0, 1 as c1 from `parts` as `parts` where `parts`.`line_order` = ? and `parts`.`line_position` = ? order by `parts`.`id` asc limit 101) union all (select `parts`.`text` as c0, 2 as c1 from `parts` as `parts` where `parts`.`line_order` = ? and `parts`.`line_position` = ? order by `parts`.`id` asc limit 101) union all (select `parts`.`text` as c0, 3 as c1 from `parts` as `parts` where `parts`.`line_order` = ? and `parts`.`line_position` = ? order by `parts`.`id` asc limit 101);
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";
-- sqlite, include 1: [1, 101, 2, 101, 3, 101, null, 101]
select * from (select "lines"."amount" as c0, "lines"."order" as c1, "lines"."position" as c2, 0 as c3 from "lines" as "lines" where "lines"."article_id" = cast(? as integer) order by "lines"."order" asc, "lines"."position" asc limit +?) union all select * from (select "lines"."amount" as c0, "lines"."order" as c1, "lines"."position" as c2, 1 as c3 from "lines" as "lines" where "lines"."article_id" = cast(? as integer) order by "lines"."order" asc, "lines"."position" asc limit +?) union all select * from (select "lines"."amount" as c0, "lines"."order" as c1, "lines"."position" as c2, 2 as c3 from "lines" as "lines" where "lines"."article_id" = cast(? as integer) order by "lines"."order" asc, "lines"."position" asc limit +?) union all select * from (select "lines"."amount" as c0, "lines"."order" as c1, "lines"."position" as c2, 3 as c3 from "lines" as "lines" where "lines"."article_id" = cast(? as integer) order by "lines"."order" asc, "lines"."position" asc limit +?);
-- sqlite, include 1.1: [1, 2, 101, 2, 3, 101, 3, 4, 101, null, null, 101]
select * from (select "parts"."text" as c0, 0 as c1 from "parts" as "parts" where "parts"."line_order" = cast(? as integer) and "parts"."line_position" = cast(? as integer) order by "parts"."id" asc limit +?) union all select * from (select "parts"."text" as c0, 1 as c1 from "parts" as "parts" where "parts"."line_order" = cast(? as integer) and "parts"."line_position" = cast(? as integer) order by "parts"."id" asc limit +?) union all select * from (select "parts"."text" as c0, 2 as c1 from "parts" as "parts" where "parts"."line_order" = cast(? as integer) and "parts"."line_position" = cast(? as integer) order by "parts"."id" asc limit +?) union all select * from (select "parts"."text" as c0, 3 as c1 from "parts" as "parts" where "parts"."line_order" = cast(? as integer) and "parts"."line_position" = cast(? as integer) order by "parts"."id" asc limit +?);

-- includes=maker,maker.articles,labels&fields=name,maker.id,maker.name
-- postgresql, data: []
select "articles"."name", "t1"."id", "t1"."name", "articles"."id" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- postgresql, include 1: [[1, 2, 3]]
select "articles"."maker_id", "articles"."name" from "articles" as "articles" where "articles"."maker_id" = any($1) order by "articles"."id" asc;
-- postgresql, include 2: [[1, 2, 3]]
select "t1"."article_id", "labels"."text" from "labels" as "labels" inner join "article_labels" as "t1" on "t1"."label_id" = "labels"."id" where "t1"."article_id" = any($1) order by "labels"."id" asc;
-- mysql, data: []
select `articles`.`name`, `t1`.`id`, `t1`.`name`, `articles`.`id` from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- mysql, include 1: [1, 2, 3, 3]
select `articles`.`maker_id`, `articles`.`name` from `articles` as `articles` where `articles`.`maker_id` in (?, ?, ?, ?) order by `articles`.`id` asc;
-- mysql, include 2: [1, 2, 3, 3]
select `t1`.`article_id`, `labels`.`text` from `labels` as `labels` inner join `article_labels` as `t1` on `t1`.`label_id` = `labels`.`id` where `t1`.`article_id` in (?, ?, ?, ?) order by `labels`.`id` asc;
-- sqlite, data: [10]
select "articles"."name", "t1"."id", "t1"."name", "articles"."id" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" order by "articles"."id" asc limit ?;
-- sqlite, count: []
select count(*) from "articles" as "articles";
-- sqlite, include 1: ["[1,2,3]"]
select "articles"."maker_id", "articles"."name" from "articles" as "articles" where "articles"."maker_id" in (select value from json_each(?)) order by "articles"."id" asc;
-- sqlite, include 2: ["[1,2,3]"]
select "t1"."article_id", "labels"."text" from "labels" as "labels" inner join "article_labels" as "t1" on "t1"."label_id" = "labels"."id" where "t1"."article_id" in (select value from json_each(?)) order by "labels"."id" asc;

-- includes=lines,lines.parts
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- postgresql, include 1: [[1, 2, 3]]
select "lines"."article_id", "lines"."amount", "lines"."order", "lines"."position" from "lines" as "lines" where "lines"."article_id" = any($1) order by "lines"."order" asc, "lines"."position" asc;
-- postgresql, include 1.1: [1, 2, 2, 3, 3, 4, 3, 4]
select "parts"."line_order", "parts"."line_position", "parts"."text" from "parts" as "parts" where ("parts"."line_order", "parts"."line_position") in (($1, $2), ($3, $4), ($5, $6), ($7, $8)) order by "parts"."id" asc;
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- mysql, include 1: [1, 2, 3, 3]
select `lines`.`article_id`, `lines`.`amount`, `lines`.`order`, `lines`.`position` from `lines` as `lines` where `lines`.`article_id` in (?, ?, ?, ?) order by `lines`.`order` asc, `lines`.`position` asc;
-- mysql, include 1.1: [1, 2, 2, 3, 3, 4, 3, 4]
select `parts`.`line_order`, `parts`.`line_position`, `parts`.`text` from `parts` as `parts` where (`parts`.`line_order`, `parts`.`line_position`) in ((?, ?), (?, ?), (?, ?), (?, ?)) order by `parts`.`id` asc;
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit ?;
-- sqlite, count: []
select count(*) from "articles" as "articles";
-- sqlite, include 1: ["[1,2,3]"]
select "lines"."article_id", "lines"."amount", "lines"."order", "lines"."position" from "lines" as "lines" where "lines"."article_id" in (select value from json_each(?)) order by "lines"."order" asc, "lines"."position" asc;
-- sqlite, include 1.1: [1, 2, 2, 3, 3, 4, 3, 4]
select "parts"."line_order", "parts"."line_position", "parts"."text" from "parts" as "parts" where ("parts"."line_order", "parts"."line_position") in (values (cast(? as integer), cast(? as integer)), (cast(? as integer), cast(? as integer)), (cast(? as integer), cast(? as integer)), (cast(? as integer), cast(? as integer))) order by "parts"."id" asc;

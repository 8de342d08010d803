-- includes=maker,maker.articles,labels&fields=name,maker.id,maker.name
-- postgresql, data: []
select "articles"."name", "t1"."id", "t1"."name", "articles"."id" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- postgresql, include 1: [[1, 2, 3]]
select c0, c1, c2 from (select "articles"."maker_id" as c0, "articles"."name" as c1, row_number() over (partition by "articles"."maker_id" order by "articles"."id" asc) as c2 from "articles" as "articles" where "articles"."maker_id" = any($1)) as numbered where c2 <= 101;
-- postgresql, include 2: [[1, 2, 3]]
select c0, c1, c2 from (select "t1"."article_id" as c0, "labels"."text" as c1, row_number() over (partition by "t1"."article_id" order by "labels"."id" asc) as c2 from "labels" as "labels" inner join "article_labels" as "t1" on "t1"."label_id" = "labels"."id" where "t1"."article_id" = any($1)) as numbered where c2 <= 101;
-- mysql, data: []
select `articles`.`name`, `t1`.`id`, `t1`.`name`, `articles`.`id` from `articles` as `articles` left join `makers` as `t1` on `t1`.`id` = `articles`.`maker_id` order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- mysql, include 1: [1, 2, 3, 3]
select c0, c1, c2 from (select `articles`.`maker_id` as c0, `articles`.`name` as c1, row_number() over (partition by `articles`.`maker_id` order by `articles`.`id` asc) as c2 from `articles` as `articles` where `articles`.`maker_id` in (?, ?, ?, ?)) as numbered where c2 <= 101;
-- mysql, include 2: [1, 2, 3, 3]
select c0, c1, c2 from (select `t1`.`article_id` as c0, `labels`.`text` as c1, row_number() over (partition by `t1`.`article_id` order by `labels`.`id` asc) as c2 from `labels` as `labels` inner join `article_labels` as `t1` on `t1`.`label_id` = `labels`.`id` where `t1`.`article_id` in (?, ?, ?, ?)) as numbered where c2 <= 101;
-- sqlite, data: [10]
select "articles"."name", "t1"."id", "t1"."name", "articles"."id" from "articles" as "articles" left join "makers" as "t1" on "t1"."id" = "articles"."maker_id" order by "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";
-- sqlite, include 1: ["[1,2,3]"]
select c0, c1, c2 from (select "articles"."maker_id" as c0, "articles"."name" as c1, row_number() over (partition by "articles"."maker_id" order by "articles"."id" asc) as c2 from "articles" as "articles" where "articles"."maker_id" in (select value from json_each(?))) as numbered where c2 <= 101;
-- sqlite, include 2: ["[1,2,3]"]
select c0, c1, c2 from (select "t1"."article_id" as c0, "labels"."text" as c1, row_number() over (partition by "t1"."article_id" order by "labels"."id" asc) as c2 from "labels" as "labels" inner join "article_labels" as "t1" on "t1"."label_id" = "labels"."id" where "t1"."article_id" in (select value from json_each(?))) as numbered where c2 <= 101;

-- includes=lines,lines.parts
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- postgresql, include 1: [[1, 2, 3]]
select c0, c1, c2, c3, c4 from (select "lines"."article_id" as c0, "lines"."amount" as c1, "lines"."order" as c2, "lines"."position" as c3, row_number() over (partition by "lines"."article_id" order by "lines"."order" asc, "lines"."position" asc) as c4 from "lines" as "lines" where "lines"."article_id" = any($1)) as numbered where c4 <= 101;
-- postgresql, include 1.1: [1, 2, 2, 3, 3, 4, 3, 4]
select c0, c1, c2, c3 from (select "parts"."line_order" as c0, "parts"."line_position" as c1, "parts"."text" as c2, row_number() over (partition by "parts"."line_order", "parts"."line_position" order by "parts"."id" asc) as c3 from "parts" as "parts" where ("parts"."line_order", "parts"."line_position") in (($1, $2), ($3, $4), ($5, $6), ($7, $8))) as numbered where c3 <= 101;
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- mysql, include 1: [1, 2, 3, 3]
select c0, c1, c2, c3, c4 from (select `lines`.`article_id` as c0, `lines`.`amount` as c1, `lines`.`order` as c2, `lines`.`position` as c3, row_number() over (partition by `lines`.`article_id` order by `lines`.`order` asc, `lines`.`position` asc) as c4 from `lines` as `lines` where `lines`.`article_id` in (?, ?, ?, ?)) as numbered where c4 <= 101;
-- mysql, include 1.1: [1, 2, 2, 3, 3, 4, 3, 4]
select c0, c1, c2, c3 from (select `parts`.`line_order` as c0, `parts`.`line_position` as c1, `parts`.`text` as c2, row_number() over (partition by `parts`.`line_order`, `parts`.`line_position` order by `parts`.`id` asc) as c3 from `parts` as `parts` where (`parts`.`line_order`, `parts`.`line_position`) in ((?, ?), (?, ?), (?, ?), (?, ?))) as numbered where c3 <= 101;
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";
-- sqlite, include 1: ["[1,2,3]"]
select c0, c1, c2, c3, c4 from (select "lines"."article_id" as c0, "lines"."amount" as c1, "lines"."order" as c2, "lines"."position" as c3, row_number() over (partition by "lines"."article_id" order by "lines"."order" asc, "lines"."position" asc) as c4 from "lines" as "lines" where "lines"."article_id" in (select value from json_each(?))) as numbered where c4 <= 101;
-- sqlite, include 1.1: [1, 2, 2, 3, 3, 4, 3, 4]
select c0, c1, c2, c3 from (select "parts"."line_order" as c0, "parts"."line_position" as c1, "parts"."text" as c2, row_number() over (partition by "parts"."line_order", "parts"."line_position" order by "parts"."id" asc) as c3 from "parts" as "parts" where ("parts"."line_order", "parts"."line_position") in (values (cast(? as integer), cast(? as integer)), (cast(? as integer), cast(? as integer)), (cast(? as integer), cast(? as integer)), (cast(? as integer), cast(? as integer)))) as numbered where c3 <= 101;

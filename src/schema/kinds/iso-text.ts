/** Epoch milliseconds as ISO 8601 text, without a `Date` for every row of a page. */

const msPerDay = 86_400_000;
const two = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

let cachedDay = Number.NaN;
let cachedText = '';

/** `YYYY-MM-DDTHH:MM:SS.sssZ`. Rows of a page often share their day, whose text is kept. */
export function isoFromEpoch(milliseconds: number): string {
  const day = Math.floor(milliseconds / msPerDay);
  if (day !== cachedDay) {
    cachedText = new Date(day * msPerDay).toISOString().slice(0, -13);
    cachedDay = day;
  }
  const rest = Math.floor(milliseconds - day * msPerDay);
  const ms = rest % 1000;
  const seconds = (rest - ms) / 1000;
  const second = seconds % 60;
  const minutes = (seconds - second) / 60;
  const minute = minutes % 60;
  const hour = (minutes - minute) / 60;
  const fraction = ms > 99 ? ms : ms > 9 ? `0${ms}` : `00${ms}`;
  return `${cachedText}${two[hour]}:${two[minute]}:${two[second]}.${fraction}Z`;
}

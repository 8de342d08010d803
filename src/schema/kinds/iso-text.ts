/** Formats epoch milliseconds as ISO 8601 by calendar arithmetic, which is faster than a `Date` per row. */

const msPerDay = 86_400_000;
const daysPerEra = 146_097;
const two = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/**
 * `YYYY-MM-DDTHH:MM:SS.sssZ` of an instant in the years 0001 to 9999. Days are counted in 400-year eras whose
 * years begin in March, so that the leap day is the last day of a year.
 */
export function isoFromEpoch(milliseconds: number): string {
  const days = Math.floor(milliseconds / msPerDay);
  const shifted = days + 719_468;
  const era = Math.floor(shifted / daysPerEra);
  const ofEra = shifted - era * daysPerEra;
  const leapless =
    ofEra - Math.trunc(ofEra / 1460) + Math.trunc(ofEra / 36_524) - Math.trunc(ofEra / 146_096);
  const yearOfEra = Math.trunc(leapless / 365);
  const leapDays = Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100);
  const ofYear = ofEra - (365 * yearOfEra + leapDays);
  const monthFromMarch = Math.trunc((5 * ofYear + 2) / 153);
  const day = ofYear - Math.trunc((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const yearText = year > 999 ? year : String(year).padStart(4, '0');
  return `${yearText}-${two[month]}-${two[day]}T${timeOf(Math.floor(milliseconds - days * msPerDay))}`;
}

function timeOf(msOfDay: number): string {
  const ms = msOfDay % 1000;
  const seconds = (msOfDay - ms) / 1000;
  const second = seconds % 60;
  const minutes = (seconds - second) / 60;
  const minute = minutes % 60;
  const hour = (minutes - minute) / 60;
  const fraction = ms > 99 ? ms : ms > 9 ? `0${ms}` : `00${ms}`;
  return `${two[hour]}:${two[minute]}:${two[second]}.${fraction}Z`;
}

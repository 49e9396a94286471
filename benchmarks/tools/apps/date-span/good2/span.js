// Days are counted with day numbers of the proleptic Gregorian calendar (day 0 = 1 March of year 0),
// so neither time zones nor summer time can shift a result.

const NAMES = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const form = document.forms[0];
const { start, end, swap, offset, span, landing } = form.elements;

function toNumber(year, month, day) {
  // The year is taken to begin in March: the leap day then comes last.
  const y = month < 3 ? year - 1 : year;
  const m = (month + 9) % 12;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + Math.floor((153 * m + 2) / 5) + day - 1;
}

function fromNumber(number) {
  const era = Math.floor(number / 146097);
  const inEra = number - era * 146097;
  const yearOfEra = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36524) - Math.floor(inEra / 146096)) / 365,
  );
  const inYear = inEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((5 * inYear + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  return {
    year: era * 400 + yearOfEra + (month < 3 ? 1 : 0),
    month,
    day: inYear - Math.floor((153 * m + 2) / 5) + 1,
  };
}

// Day 0, 1 March of year 0, was a Wednesday.
const weekday = (number) => (((number + 3) % 7) + 7) % 7;

function read(field) {
  const parts = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(field.value);
  return parts ? toNumber(Number(parts[1]), Number(parts[2]), Number(parts[3])) : null;
}

/** Mondays to Fridays from `first` up to, not including, `last`. */
function workingDays(first, last) {
  const weeks = Math.floor((last - first) / 7);
  let total = weeks * 5;
  for (let day = first + weeks * 7; day < last; day += 1) {
    if (weekday(day) % 6 !== 0) total += 1;
  }
  return total;
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function say(output, kind, ...lines) {
  output.className = kind;
  output.replaceChildren(
    ...lines.map((text) => Object.assign(document.createElement("span"), { textContent: text })),
  );
}

function update() {
  const from = read(start);
  const to = read(end);
  if (from === null || to === null) {
    say(span, "", "Fill in both dates.");
  } else if (to < from) {
    say(span, "wrong", "End date is before start date");
  } else {
    const days = to - from;
    say(
      span,
      "ready",
      `Days: ${days}`,
      `Weeks: ${plural(Math.floor(days / 7), "week")} ${plural(days % 7, "day")}`,
      `Working days: ${workingDays(from, to)}`,
    );
  }

  const add = offset.valueAsNumber;
  if (offset.validity.badInput || (!Number.isNaN(add) && !Number.isInteger(add))) {
    say(landing, "wrong", "Only whole numbers, please.");
  } else if (from === null || Number.isNaN(add)) {
    say(landing, "", "Fill in a start date and a number of days.");
  } else {
    const { year, month, day } = fromNumber(from + add);
    if (Math.abs(add) > 1e7 || year < 1 || year > 9999) {
      say(landing, "wrong", "That day lies outside the years 1 to 9999.");
    } else {
      const pad = (value, width) => String(value).padStart(width, "0");
      say(landing, "ready", `Result: ${NAMES[weekday(from + add)]} ${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`);
    }
  }
}

swap.addEventListener("click", () => {
  [start.value, end.value] = [end.value, start.value];
  update();
});
form.addEventListener("input", update);
form.addEventListener("submit", (event) => event.preventDefault());
update();

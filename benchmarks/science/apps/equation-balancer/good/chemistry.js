/** Reading and balancing chemical equations, without any page. */

const ELEMENTS = new Set(
  `H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr
   Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm
   Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No
   Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og`.split(/\s+/),
);
const CLOSING = { "(": ")", "[": "]", "{": "}" };

const isCapital = (sign) => sign.charCodeAt(0) >= 65 && sign.charCodeAt(0) <= 90;

class EquationError extends Error {}

// ---------- reading ----------

/** Counts the atoms of one formula, hydrates included: "CuSO4.5H2O" gives Cu 1, S 1, O 9, H 10. */
function countAtoms(formula) {
  const atoms = new Map();
  for (const part of formula.split(/[.·•*]/)) {
    const [, times, rest] = /^(\d*)(.*)$/.exec(part);
    if (!rest) throw new EquationError(`Something is missing at the dot in “${formula}”.`);
    const counted = readGroup(rest, 0, null, formula);
    addAtoms(atoms, counted.atoms, toCount(times, formula));
  }
  return atoms;
}

function readGroup(text, start, closing, formula) {
  const atoms = new Map();
  let at = start;
  for (;;) {
    if (at >= text.length) {
      if (closing) throw new EquationError(`A bracket is not closed in “${formula}”.`);
      break;
    }
    if (text[at] === closing) break;
    if (text[at] in CLOSING) {
      const inner = readGroup(text, at + 1, CLOSING[text[at]], formula);
      if (inner.atoms.size === 0) throw new EquationError(`An empty bracket in “${formula}”.`);
      const digits = /^\d*/.exec(text.slice(inner.end + 1))[0];
      addAtoms(atoms, inner.atoms, toCount(digits, formula));
      at = inner.end + 1 + digits.length;
      continue;
    }
    if (!isCapital(text[at])) {
      throw new EquationError(/[)\]}]/.test(text[at])
        ? `A bracket is closed that was not opened in “${formula}”.`
        : `“${text[at]}” in “${formula}” makes no sense there; symbols begin with a capital letter.`);
    }
    const match = /^([A-Z][a-z]*)(\d*)/.exec(text.slice(at));
    if (!ELEMENTS.has(match[1])) {
      throw new EquationError(`There is an unknown element ${match[1]} in “${formula}”.`);
    }
    addAtoms(atoms, new Map([[match[1], 1]]), toCount(match[2], formula));
    at += match[0].length;
  }
  return { atoms, end: at };
}

function toCount(digits, formula) {
  if (digits === "") return 1;
  if (Number(digits) < 1 || digits.length > 4) {
    throw new EquationError(`The number ${digits} in “${formula}” is not between 1 and 9999.`);
  }
  return Number(digits);
}

function addAtoms(target, more, times) {
  for (const [element, count] of more) {
    target.set(element, (target.get(element) ?? 0) + count * times);
  }
}

function readSide(text, name) {
  if (!text.trim()) throw new EquationError(`The ${name} side of the equation is empty.`);
  return text.split("+").map((raw) => {
    const formula = raw.replace(/\s+/g, "").replace(/^\d+/, ""); // typed coefficients are ignored
    if (!formula) throw new EquationError(`A formula is missing beside a + on the ${name} side.`);
    return { formula, atoms: countAtoms(formula) };
  });
}

function readEquation(text) {
  if (!text.trim()) throw new EquationError("Type an equation first.");
  const sides = text.split(/-+>|=+>?|→|⟶|⇌/);
  if (sides.length < 2) throw new EquationError("There is no arrow: write -> or = between the sides.");
  if (sides.length > 2) throw new EquationError("There is more than one arrow in the equation.");
  return { left: readSide(sides[0], "left"), right: readSide(sides[1], "right") };
}

// ---------- balancing, in whole numbers of any size ----------

const abs = (n) => (n < 0n ? -n : n);
const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return abs(a); };
const shorten = (row) => {
  const divisor = row.reduce(gcd, 0n);
  return divisor > 1n ? row.map((n) => n / divisor) : row;
};
/** Row a minus the multiple of row b that clears a's entry in this column. */
const clear = (a, b, column) => shorten(a.map((n, i) => n * b[column] - b[i] * a[column]));

function solutions(matrix, width) {
  const rows = matrix.map((row) => [...row]);
  const pivots = [];
  for (let column = 0; column < width; column += 1) {
    const found = rows.findIndex((row, i) => i >= pivots.length && row[column] !== 0n);
    if (found < 0) continue;
    const here = pivots.length;
    [rows[here], rows[found]] = [rows[found], rows[here]];
    rows.forEach((row, i) => { if (i !== here && row[column] !== 0n) rows[i] = clear(row, rows[here], column); });
    pivots.push(column);
  }
  const free = [...Array(width).keys()].filter((column) => !pivots.includes(column));
  return free.map((column) => {
    const scale = pivots.reduce((all, p, i) => (all * rows[i][p]) / gcd(all, rows[i][p]), 1n);
    const vector = Array(width).fill(0n);
    vector[column] = scale;
    pivots.forEach((p, i) => { vector[p] = (-rows[i][column] * scale) / rows[i][p]; });
    return shorten(vector);
  });
}

/** Can the basis vectors be mixed so that every coefficient is positive? (Fourier-Motzkin) */
function hasPositiveMix(basis) {
  let rules = basis[0].map((_, i) => [...basis.map((vector) => vector[i])]); // each: rule · mix > 0
  for (let k = 0; k < basis.length; k += 1) {
    const lower = rules.filter((rule) => rule[k] > 0n);
    const upper = rules.filter((rule) => rule[k] < 0n);
    rules = rules.filter((rule) => rule[k] === 0n);
    for (const a of lower) {
      for (const b of upper) rules.push(shorten(a.map((n, i) => n * -b[k] + b[i] * a[k])));
    }
    if (rules.some((rule) => rule.every((n) => n === 0n))) return false; // it would say 0 > 0
  }
  return true;
}

function balance({ left, right }) {
  const terms = [...left, ...right];
  const elements = [...new Set(terms.flatMap((term) => [...term.atoms.keys()]))];
  const matrix = elements.map((element) => terms.map((term, i) => (
    BigInt(term.atoms.get(element) ?? 0) * (i < left.length ? 1n : -1n)
  )));
  const basis = solutions(matrix, terms.length);
  if (basis.length === 0 || !hasPositiveMix(basis)) {
    throw new EquationError("This equation cannot be balanced.");
  }
  if (basis.length > 1) {
    throw new EquationError("There is more than one way to balance this equation.");
  }
  const factors = basis[0].map(abs);
  const count = (element, from, to) => terms.slice(from, to).reduce(
    (sum, term, i) => sum + BigInt(term.atoms.get(element) ?? 0) * factors[from + i], 0n,
  );
  return {
    factors,
    atoms: elements.map((element) => ({
      element,
      left: count(element, 0, left.length),
      right: count(element, left.length, terms.length),
    })),
  };
}

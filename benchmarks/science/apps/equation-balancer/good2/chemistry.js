"use strict";

const ELEMENTS = new Set(
  `H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr
   Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm
   Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No
   Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og`.split(/\s+/),
);
const CLOSING = { "(": ")", "[": "]", "{": "}" };

class InputError extends Error {}

/** Add `times` lots of the atoms in `from` to `into`. */
function addAtoms(into, from, times) {
  for (const [element, count] of from) {
    into.set(element, (into.get(element) ?? 0n) + count * times);
  }
}

/** The atoms of one formula, by element. Hydrate parts are separated by a dot. */
function atomsOf(formula) {
  const atoms = new Map();
  for (const [index, part] of formula.split(/[.·•*]/).entries()) {
    const [, number, body] = part.match(/^(\d*)(.*)$/s);
    if (!body) throw new InputError(`Something is missing beside the dot in ${formula}.`);
    if (index === 0 && number) throw new InputError(`I cannot read ${formula}.`);
    addAtoms(atoms, atomsOfPart(body, formula), number ? positive(number, formula) : 1n);
  }
  return atoms;
}

function positive(digits, formula) {
  const value = BigInt(digits);
  if (value === 0n) throw new InputError(`A count of 0 makes no sense in ${formula}.`);
  return value;
}

function atomsOfPart(text, formula) {
  const levels = [{ atoms: new Map(), close: null }];
  const tokens = text.matchAll(/([A-Z][a-z]*)(\d*)|([([{])|([)\]}])(\d*)|(.)/gsu);
  for (const [, symbol, count, open, close, closeCount, other] of tokens) {
    const level = levels.at(-1);
    if (symbol) {
      if (!ELEMENTS.has(symbol)) throw new InputError(`unknown element ${symbol}`);
      addAtoms(level.atoms, [[symbol, count ? positive(count, formula) : 1n]], 1n);
    } else if (open) {
      levels.push({ atoms: new Map(), close: CLOSING[open] });
    } else if (close) {
      if (level.close !== close) throw new InputError(`The bracket ${close} in ${formula} was not opened.`);
      if (level.atoms.size === 0) throw new InputError(`There is an empty bracket in ${formula}.`);
      levels.pop();
      addAtoms(levels.at(-1).atoms, level.atoms, closeCount ? positive(closeCount, formula) : 1n);
    } else {
      throw new InputError(`I do not understand "${other}" in ${formula}.`);
    }
  }
  if (levels.length > 1) throw new InputError(`A bracket in ${formula} is not closed.`);
  return levels[0].atoms;
}

/** Read the whole equation: the formulas of each side with their atoms. */
function readEquation(text) {
  if (!text.trim()) throw new InputError("Please type an equation first.");
  const sides = text.split(/[-=–—]+>|[→⟶]|=/);
  if (sides.length < 2) throw new InputError("There is no arrow: write -> or = between the two sides.");
  if (sides.length > 2) throw new InputError("There is more than one arrow: write -> or = only once.");
  return sides.map((side, index) => {
    const where = index === 0 ? "left" : "right";
    if (!side.trim()) throw new InputError(`The ${where} side is empty.`);
    return side.split("+").map((term) => {
      // Numbers in front of a formula are ignored, fractions and decimals too.
      const formula = term.trim().replace(/^\d+(?:[.,/]\d+)?\s*/, "");
      if (!formula) throw new InputError(`A formula is missing beside a + on the ${where} side.`);
      if (/\s/.test(formula)) throw new InputError(`There is a gap in "${formula}": put + between formulas.`);
      return { formula, atoms: atomsOf(formula) };
    });
  });
}

const gcd = (a, b) => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));

/**
 * All elementary ways to balance: the extreme rays of { x >= 0 : A x = 0 }. One element after the
 * other is balanced by pairing ways with too much of it on the left and too much on the right;
 * a way is kept only if no other one gets by with fewer of the substances.
 */
function elementaryWays(rows, width) {
  let ways = Array.from({ length: width }, (_, i) => Array.from({ length: width }, (_, j) => (i === j ? 1n : 0n)));
  for (const row of rows) {
    const surplus = (way) => way.reduce((sum, x, i) => sum + x * row[i], 0n);
    const level = [], more = [], less = [];
    for (const way of ways) {
      const s = surplus(way);
      if (s === 0n) level.push(way);
      else if (s > 0n) more.push([way, s]);
      else less.push([way, -s]);
    }
    for (const [p, sp] of more) {
      for (const [q, sq] of less) {
        const way = p.map((x, i) => x * sq + q[i] * sp);
        const divisor = way.reduce(gcd, 0n);
        level.push(way.map((x) => x / divisor));
      }
    }
    const uses = level.map((way) => way.reduce((set, x, i) => (x ? set | (1n << BigInt(i)) : set), 0n));
    ways = level.filter((_, i) => !uses.some(
      (other, j) => j !== i && (other & uses[i]) === other && (other !== uses[i] || j < i),
    ));
    if (ways.length > 2000) throw new InputError("This equation is too long for me.");
  }
  return ways;
}

/** { text, table } for a balanced equation, or an InputError that says why not. */
function balance(text) {
  const [left, right] = readEquation(text);
  const all = [...left, ...right];
  const elements = [...new Set(all.flatMap((each) => [...each.atoms.keys()]))];
  const rows = elements.map((element) => all.map(
    (each, i) => (each.atoms.get(element) ?? 0n) * (i < left.length ? 1n : -1n),
  ));
  const ways = elementaryWays(rows, all.length);
  if (!all.every((_, i) => ways.some((way) => way[i] > 0n))) {
    throw new InputError("This equation cannot be balanced.");
  }
  if (ways.length > 1) throw new InputError("This equation can be balanced in more than one way.");
  const numbers = ways[0];
  const written = all.map((each, i) => (numbers[i] === 1n ? "" : `${numbers[i]} `) + each.formula);
  const total = (row, from, to) => {
    const sum = row.slice(from, to).reduce((s, n, i) => s + n * numbers[from + i], 0n);
    return String(sum < 0n ? -sum : sum);
  };
  return {
    text: `Balanced: ${written.slice(0, left.length).join(" + ")} -> ${written.slice(left.length).join(" + ")}`,
    table: elements.map((element, i) => [
      element, total(rows[i], 0, left.length), total(rows[i], left.length, all.length),
    ]),
  };
}

/** Doubles as text, the way C's `printf` writes them: exact digits, ties to even. */

/** `%e`: one digit before the point, `precision` behind it. */
export function formatExponent(value: number, precision: number): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  const [digits, exponent] = significantDigits(Math.abs(value), precision + 1);
  const body = precision > 0 ? `${digits[0]}.${digits.slice(1)}` : digits;
  return signOf(value) + body + exponentText(exponent);
}

/** `%f`: `precision` digits behind the point. */
export function formatFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  const size = Math.abs(value);
  if (size >= 1e21) {
    const whole = BigInt(size).toString();
    return signOf(value) + (precision > 0 ? `${whole}.${'0'.repeat(precision)}` : whole);
  }
  return signOf(value) + roundHalfEven(size, precision);
}

/** `%g`: the shorter of `%e` and `%f` with `precision` significant digits; `keepZeros` is the `#` flag. */
export function formatGeneral(value: number, precision: number, keepZeros: boolean): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  const wanted = precision === 0 ? 1 : precision;
  const [digits, exponent] = significantDigits(Math.abs(value), wanted);
  if (exponent < -4 || exponent >= wanted) {
    const fraction = keepZeros ? digits.slice(1) : trimZeros(digits.slice(1));
    const point = fraction !== '' || keepZeros ? '.' : '';
    return signOf(value) + digits[0] + point + fraction + exponentText(exponent);
  }
  let whole: string;
  let fraction: string;
  if (exponent < 0) {
    whole = '0';
    fraction = '0'.repeat(-exponent - 1) + digits;
  } else {
    whole = digits.slice(0, exponent + 1);
    fraction = digits.slice(exponent + 1);
  }
  if (!keepZeros) fraction = trimZeros(fraction);
  const point = fraction !== '' || keepZeros ? '.' : '';
  return signOf(value) + whole + point + fraction;
}

/** The first `count` significant digits, rounded half to even on the exact value, and the decimal exponent. */
function significantDigits(size: number, count: number): [string, number] {
  const shown = Math.min(count, 101);
  let text = size.toExponential(shown - 1);
  if (mayBeTie(size, shown)) {
    const exact = size.toExponential(Math.min(100, shown + 30));
    const cut = shown === 1 ? 1 : shown + 1;
    const from = exact.indexOf('e');
    // JavaScript rounds an exact tie up; C rounds it to even.
    const rest = shown === 1 ? exact.slice(2, from) : exact.slice(cut, from);
    if (/^50*$/.test(rest)) {
      const down = exact.slice(0, cut);
      const last = down.charCodeAt(down.length - 1) - 48;
      if (last % 2 === 0) text = down + exact.slice(from);
    }
  }
  const at = text.indexOf('e');
  const digits = text.slice(0, at).replace('.', '');
  return [digits.padEnd(count, '0'), Number(text.slice(at + 1))];
}

/**
 * Whether the value may lie just half-way between two texts of `count` digits. Up to 15 digits, it can only do so if
 * the shortest text that reads back as the value has one digit more.
 */
function mayBeTie(size: number, count: number): boolean {
  if (count > 14) return count < 70;
  const text = `${size}`;
  return text.length > count && /5(?:e|$)/.test(text);
}

function roundHalfEven(size: number, precision: number): string {
  const text = size.toFixed(precision);
  // Half a unit of the last digit is an odd multiple of 2^-(precision + 1) at the finest; an integer is none.
  if (precision > 70 || Number.isInteger(size) || !Number.isInteger(size * 2 ** (precision + 1))) return text;
  const exact = size.toFixed(Math.min(100, precision + 30));
  const cut = exact.indexOf('.') + 1 + precision;
  if (!/^50*$/.test(exact.slice(cut))) return text;
  const down = precision === 0 ? exact.slice(0, cut - 1) : exact.slice(0, cut);
  return (down.charCodeAt(down.length - 1) - 48) % 2 === 0 ? down : text;
}

function exponentText(exponent: number): string {
  const size = Math.abs(exponent);
  return `e${exponent < 0 ? '-' : '+'}${size < 10 ? '0' : ''}${size}`;
}

function trimZeros(fraction: string): string {
  let end = fraction.length;
  while (end > 0 && fraction.charCodeAt(end - 1) === 48) end--;
  return fraction.slice(0, end);
}

function signOf(value: number): string {
  return value < 0 || (value === 0 && 1 / value < 0) ? '-' : '';
}

function nonFinite(value: number): string {
  if (Number.isNaN(value)) return isNegativeNaN(value) ? '-nan' : 'nan';
  return value < 0 ? '-inf' : 'inf';
}

/** The NaN with its sign set: what x86 computes for 0/0. JavaScript code that writes one gets the other. */
export const NEGATIVE_NAN = new Float64Array(new BigUint64Array([0xfff8000000000000n]).buffer)[0]!;

const nanBytes = new DataView(new ArrayBuffer(8));

/** x86 computes 0/0 as a NaN with its sign set, which C prints as `-nan`; V8 keeps the sign bit it was given. */
function isNegativeNaN(value: number): boolean {
  nanBytes.setFloat64(0, value);
  return (nanBytes.getUint8(0) & 0x80) !== 0;
}

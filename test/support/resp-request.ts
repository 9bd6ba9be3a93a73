/** A command as clients send it: an array of bulk strings. Arguments are byte strings (a byte a character). */
export function encodeCommand(args: readonly string[]): string {
  let out = `*${args.length}\r\n`;
  for (const arg of args) out += `$${arg.length}\r\n${arg}\r\n`;
  return out;
}

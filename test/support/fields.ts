/** A record that came as a flat array of names and values. */
export function fieldsOf(reply: unknown): Record<string, unknown> {
  const flat = reply as unknown[];
  const fields: Record<string, unknown> = {};
  for (let i = 0; i < flat.length; i += 2) fields[String(flat[i])] = flat[i + 1];
  return fields;
}

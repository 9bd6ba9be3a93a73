/** Small scripts with what Redis 8.2.3 answered to them, recorded in `script-facts.json`. */
import { readFileSync } from 'node:fs';

export interface ScriptFact {
  /** The body of a function. */
  readonly script: string;
  /** Its results, or its error, as `frameScript` shows them. */
  readonly answer: string;
}

export function readFacts(): ScriptFact[] {
  return JSON.parse(readFileSync(new URL('script-facts.json', import.meta.url), 'utf8')) as ScriptFact[];
}

/** A whole script around the body: it answers with one text that shows up to ten results exactly, or the error. */
export function frameScript(body: string): string {
  return `local results = {pcall(function() ${body} end)}
    local shown = {}
    for i = 1, 10 do
      local value = results[i]
      local kind = type(value)
      if value == nil then shown[i] = '_'
      elseif kind == 'string' then shown[i] = value
      elseif kind == 'number' then shown[i] = string.format('%.17g', value)
      elseif kind == 'table' then shown[i] = 'table ' .. cjson.encode(value)
      else shown[i] = tostring(value) end
    end
    return table.concat(shown, '|')`.replace(/\n\s*/g, ' ');
}

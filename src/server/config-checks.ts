/** Checks of the configuration parameters whose text has a form of its own. Each returns the text as CONFIG GET shows it. */

import { parseDouble, parseInteger } from '../protocol/numbers.js';
import { ConfigError } from '../protocol/problems.js';
import type { Bytes } from '../protocol/reply.js';

/** `save`: pairs of seconds (1 or more) and changes (0 or more), or nothing. */
export function checkedSavePoints(text: Bytes): Bytes {
  if (text === '') return '';
  const words = text.split(' ');
  const isPoint = (word: Bytes, i: number) => {
    const value = parseInteger(word);
    return value !== undefined && value >= (i % 2 === 0 ? 1 : 0);
  };
  if (words.length % 2 !== 0 || !words.every(isPoint)) throw new ConfigError('Invalid save parameters');
  return text;
}

/** `latency-tracking-info-percentiles`: numbers from 0 to 100. */
export function checkedPercentiles(text: Bytes): Bytes {
  if (text === '') return '';
  const percentiles = text.split(' ').map((word) => parseDouble(word));
  if (percentiles.some((percentile) => percentile === undefined)) {
    throw new ConfigError('Invalid latency-tracking-info-percentiles parameters');
  }
  if (percentiles.some((percentile) => percentile! < 0 || percentile! > 100)) {
    throw new ConfigError('latency-tracking-info-percentiles parameters should sit between [0.0,100.0]');
  }
  return percentiles.map((percentile) => String(Number(percentile!.toFixed(6)))).join(' ');
}

/** `locale-collate`: the locales that every machine has; nothing here sorts by another. */
export function checkedLocale(text: Bytes): Bytes {
  if (text !== '' && text !== 'C' && text !== 'POSIX') throw new ConfigError('Invalid locale name');
  return text;
}

/** `oom-score-adj-values`: three whole numbers from −2000 to 2000. */
export function checkedOomScores(text: Bytes): Bytes {
  const words = text.split(' ');
  if (words.length !== 3) throw new ConfigError('wrong number of arguments');
  const fits = words.every((word) => {
    const score = parseInteger(word);
    return score !== undefined && score >= -2000 && score <= 2000;
  });
  if (!fits) throw new ConfigError('Invalid oom-score-adj-values, elements must be between -2000 and 2000.');
  return text;
}

const SHUTDOWN_OPTIONS = ['save', 'nosave', 'now', 'force'];

/** `shutdown-on-sigint` and `-sigterm`: `default`, or several options. */
export function checkedShutdownOptions(text: Bytes): Bytes {
  const given = text.toLowerCase().split(' ');
  if (!given.every((word) => word === 'default' || SHUTDOWN_OPTIONS.includes(word))) {
    throw new ConfigError(`argument(s) must be one of the following: default, ${SHUTDOWN_OPTIONS.join(', ')}`);
  }
  if (given.includes('save') && given.includes('nosave')) {
    throw new ConfigError("shutdown options SAVE and NOSAVE can't be used simultaneously");
  }
  return SHUTDOWN_OPTIONS.filter((option) => given.includes(option)).join(' ') || 'default';
}

const TITLE_VARIABLES = /\{(title|listen-addr|server-mode|port|tls-port|unixsocket|config-file)\}/g;

/** `proc-title-template`: text with variables in braces. */
export function checkedTitleTemplate(text: Bytes): Bytes {
  if (text === '' || /[{}]/.test(text.replace(TITLE_VARIABLES, ''))) {
    throw new ConfigError('template format is invalid or contains unknown variables');
  }
  return text;
}

/** `cluster-announce-hostname`. */
export function checkedHostname(text: Bytes): Bytes {
  if (text.length >= 256) throw new ConfigError('Hostnames must be less than 256 characters');
  if (!/^[a-zA-Z0-9.-]*$/.test(text)) {
    throw new ConfigError('Hostnames may only contain alphanumeric characters, hyphens or dots');
  }
  return text;
}

/** `cluster-announce-human-nodename`. */
export function checkedNodeName(text: Bytes): Bytes {
  if (!/^[^!#$%&()*+:;<>?@[\]{|}~/\\]*$/.test(text)) {
    throw new ConfigError('Announced human node name contained invalid character');
  }
  return text;
}

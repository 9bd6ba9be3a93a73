/** Every command of the server. */

import { aclCommands } from './acl.js';
import { bitfieldCommands } from './bitfield.js';
import { bitmapCommands } from './bitmaps.js';
import { clientCommands } from './client.js';
import { clusterCommands } from './cluster.js';
import { commandCommands } from './command.js';
import { configCommands } from './config.js';
import { connectionCommands } from './connection.js';
import { counterCommands } from './counters.js';
import { databaseCommands } from './databases.js';
import { debugCommands } from './debug.js';
import type { CommandRow } from './definition.js';
import { dumpCommands } from './dump.js';
import { emulatorCommands } from './emulator.js';
import { expireCommands } from './expire.js';
import { functionCommands } from './functions.js';
import { geoCommands } from './geo.js';
import { hashCommands } from './hashes.js';
import { hashExpiryCommands } from './hashes-expiry.js';
import { agentMemoryCommands } from './hotkv/agent-memory.js';
import { agentSessionCommands } from './hotkv/agent-sessions.js';
import { agentSummaryCommands } from './hotkv/agent-summaries.js';
import { bloomCommands } from './hotkv/bloom.js';
import { countMinCommands } from './hotkv/count-min.js';
import { embeddingCommands } from './hotkv/embeddings.js';
import { featureCommands } from './hotkv/features.js';
import { gcraCommands } from './hotkv/gcra.js';
import { himportCommands } from './hotkv/himport.js';
import { hotkeysCommands } from './hotkv/hotkeys.js';
import { keyedCacheCommands } from './hotkv/keyed-caches.js';
import { llmBudgetCommands } from './hotkv/llm-budgets.js';
import { llmStatsCommands } from './hotkv/llm-stats.js';
import { nanoTtlCommands } from './hotkv/nano-ttl.js';
import { observabilityCommands } from './hotkv/observability.js';
import { promptCacheCommands } from './hotkv/prompt-caches.js';
import { promptCommands } from './hotkv/prompts.js';
import { ragCommands } from './hotkv/rag.js';
import { rateLimitCommands } from './hotkv/rate-limits.js';
import { semanticCacheCommands } from './hotkv/semantic-caches.js';
import { slotCommands } from './hotkv/slots.js';
import { hotkvStringCommands } from './hotkv/strings.js';
import { tagCommands } from './hotkv/tags.js';
import { timeSeriesCommands } from './hotkv/time-series.js';
import { topKCommands } from './hotkv/top-k.js';
import { vectorCommands } from './hotkv/vectors.js';
import { hyperloglogCommands } from './hyperloglog.js';
import { infoCommands } from './info.js';
import { keyCommands } from './keys.js';
import { latencyCommands } from './latency.js';
import { lcsCommands } from './lcs.js';
import { listCommands } from './lists.js';
import { memoryCommands } from './memory.js';
import { migrateCommands } from './migrate.js';
import { objectCommands } from './object.js';
import { pubsubCommands } from './pubsub.js';
import { replicationCommands } from './replication.js';
import { scanCommands } from './scan.js';
import { scriptingCommands } from './scripting.js';
import { serverCommands } from './server.js';
import { setCommands } from './sets.js';
import { setCombineCommands } from './sets-combine.js';
import { slowlogCommands } from './slowlog.js';
import { sortCommands } from './sort.js';
import { sortedSetCommands } from './sorted-sets.js';
import { sortedSetCombineCommands } from './sorted-sets-combine.js';
import { sortedSetPopCommands } from './sorted-sets-pop.js';
import { sortedSetRangeCommands } from './sorted-sets-range.js';
import { streamCommands } from './streams.js';
import { streamGroupCommands } from './streams-groups.js';
import { streamInfoCommands } from './streams-info.js';
import { streamReadCommands } from './streams-read.js';
import { stringCommands } from './strings.js';
import { transactionCommands } from './transactions.js';
import { waitCommands } from './wait.js';

export const commandRows: readonly CommandRow[] = [
  ...connectionCommands,
  ...clientCommands,
  ...aclCommands,
  ...transactionCommands,
  ...commandCommands,
  ...configCommands,
  ...infoCommands,
  ...slowlogCommands,
  ...serverCommands,
  ...replicationCommands,
  ...latencyCommands,
  ...clusterCommands,
  ...keyCommands,
  ...scanCommands,
  ...expireCommands,
  ...objectCommands,
  ...sortCommands,
  ...databaseCommands,
  ...dumpCommands,
  ...migrateCommands,
  ...waitCommands,
  ...pubsubCommands,
  ...listCommands,
  ...setCommands,
  ...setCombineCommands,
  ...hashCommands,
  ...hashExpiryCommands,
  ...sortedSetCommands,
  ...sortedSetRangeCommands,
  ...sortedSetCombineCommands,
  ...sortedSetPopCommands,
  ...geoCommands,
  ...streamCommands,
  ...streamReadCommands,
  ...streamGroupCommands,
  ...streamInfoCommands,
  ...hyperloglogCommands,
  ...gcraCommands,
  ...rateLimitCommands,
  ...tagCommands,
  ...nanoTtlCommands,
  ...hotkeysCommands,
  ...vectorCommands,
  ...timeSeriesCommands,
  ...featureCommands,
  ...promptCommands,
  ...semanticCacheCommands,
  ...promptCacheCommands,
  ...keyedCacheCommands,
  ...agentSessionCommands,
  ...agentMemoryCommands,
  ...agentSummaryCommands,
  ...embeddingCommands,
  ...ragCommands,
  ...hotkvStringCommands,
  ...himportCommands,
  ...slotCommands,
  ...stringCommands,
  ...counterCommands,
  ...lcsCommands,
  ...bitmapCommands,
  ...bitfieldCommands,
  ...debugCommands,
  ...memoryCommands,
  ...scriptingCommands,
  ...functionCommands,
  ...llmStatsCommands,
  ...llmBudgetCommands,
  ...observabilityCommands,
  ...bloomCommands,
  ...countMinCommands,
  ...topKCommands,
  ...emulatorCommands,
];

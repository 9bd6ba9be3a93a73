/** How bad an alert is, from the least to the worst (official client 1.0.0). */
export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

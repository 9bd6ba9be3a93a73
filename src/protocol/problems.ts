/** What can be wrong with settings, in words for whoever set them. Commands turn them into error replies. */

/** A value that a parameter cannot take. The message is the reason as Redis words it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A rule that cannot be applied; the message is Redis' reason. */
export class AclRuleError extends Error {
  override readonly name = 'AclRuleError';
}

/** An ACL file that cannot be used; the message names each wrong line. */
export class AclFileError extends Error {
  override readonly name = 'AclFileError';
}

/** A failure that the operator can fix: they read its sentence, not a stack. */
export class OperatorError extends Error {}

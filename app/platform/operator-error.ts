/** An end that the person who runs the product can do something about: they read its sentence, not a stack. */
export class OperatorError extends Error {}

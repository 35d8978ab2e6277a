/** A text that cannot be rendered; the message is for its writer. */
export class Unrenderable extends Error {}

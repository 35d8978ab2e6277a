/** An email that cannot be read; the message is for staff. */
export class UnreadableEmail extends Error {}

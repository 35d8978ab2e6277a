/** A calendar as a whole cannot be read. The message is for people. */
export class BrokenCalendar extends Error {}

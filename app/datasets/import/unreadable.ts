/** Why a file cannot become a version, in a sentence for staff. */
export class Unreadable extends Error {}

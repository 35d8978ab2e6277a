import type { StaffBooking } from '#app/booking/rules/booking.ts'
import type { BusySpan, ListedHost } from './calendar.ts'
import type { ClockTime } from './zoned-time.ts'

/** The dialog that is open above the calendar. */
export type CalendarDialog =
  | { kind: 'call'; call: StaffBooking; /** The list that it was opened from. */ among?: readonly StaffBooking[] | undefined }
  | { kind: 'move'; call: StaffBooking; /** Where it was dropped. */ to?: ClockTime }
  | { kind: 'hand_over'; call: StaffBooking }
  | { kind: 'cancel'; call: StaffBooking }
  | { kind: 'settle'; call: StaffBooking; status: 'complete' | 'no_show' }
  | { kind: 'block'; host: ListedHost; span?: { date: string; from: number; until: number } }
  | { kind: 'unblock'; span: BusySpan }

export type CalendarProps = {
  hosts: readonly ListedHost[]
  /** The reader. Times are shown on the clock of their zone. */
  you: ListedHost
  open: (dialog: CalendarDialog) => void
}

import { apiRequest } from '#app/platform/browser/api.ts'
import { QuestionDialog } from '#app/ui/admin/action-button.tsx'
import { neighborsOf } from '#app/ui/admin/record.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { BlockDialog } from './block-dialog.tsx'
import type { BusySpan } from './calendar.ts'
import type { CalendarDialog, CalendarProps } from './calendar-dialog.ts'
import { CallDialog } from './call-dialog.tsx'
import { momentText } from './call-text.ts'
import { CancelDialog, HandOverDialog, SettleDialog } from './change-dialogs.tsx'
import { MoveCallDialog } from './move-dialog.tsx'
import { CALENDAR_DATA, hostUrl } from './use-calendar.tsx'

type DialogsProps = CalendarProps & { dialog: CalendarDialog | undefined; close: () => void }

/** The open dialog: one that was opened here, or the call that the address names. */
export function CalendarDialogs({ dialog, close, ...props }: DialogsProps) {
  const { params, change } = useView()
  const named = params.get('call')
  // From a link in an email, or in a calendar program.
  if (!dialog) return named && <CallDialog id={named} {...props} close={() => change({ call: undefined }, { replace: true })} />
  const zone = props.you.zone
  switch (dialog.kind) {
    case 'call':
      return <OpenCall {...props} dialog={dialog} close={close} />
    case 'move':
      return <MoveCallDialog call={dialog.call} to={dialog.to} zone={zone} close={close} />
    case 'hand_over':
      return <HandOverDialog call={dialog.call} hosts={props.hosts} close={close} />
    case 'cancel':
      return <CancelDialog call={dialog.call} zone={zone} close={close} />
    case 'settle':
      return <SettleDialog call={dialog.call} status={dialog.status} close={close} />
    case 'block':
      return <BlockDialog host={dialog.host} span={dialog.span} zone={zone} close={close} />
    case 'unblock':
      return <UnblockDialog span={dialog.span} zone={zone} close={close} />
  }
}

type OpenCallProps = CalendarProps & { dialog: Extract<CalendarDialog, { kind: 'call' }>; close: () => void }

function OpenCall({ dialog: { call, among }, ...props }: OpenCallProps) {
  const neighbors = neighborsOf(among, call.id, (other) => props.open({ kind: 'call', call: other, among }))
  return <CallDialog {...props} id={call.id} known={call} neighbors={neighbors} />
}

function UnblockDialog({ span, zone, close }: { span: BusySpan; zone: string; close: () => void }) {
  const unblock = {
    send: async () => apiRequest('DELETE', `${hostUrl(span.hostId)}/blocks/${span.id}`),
    done: 'Time unblocked',
    failed: 'Could not unblock the time',
    touches: CALENDAR_DATA,
  }
  return (
    <QuestionDialog action={unblock} close={close} question="Unblock this time?" confirm="Unblock" pending="Unblocking..." look="primary">
      <p className="font-medium text-ink">{span.reason ?? 'Blocked time'}</p>
      <p>
        {momentText(span.startsAt, zone)} – {momentText(span.endsAt, zone)}
      </p>
      <p className="mt-2">Visitors can book calls in it again.</p>
    </QuestionDialog>
  )
}

import type { Handle } from '#app/access.server.ts'
import { data, href, redirect } from 'react-router'
import { cancelBooking, changeBooking, findBookingByToken, replaceManageLink } from '#app/booking/booking.server.ts'
import { describeBooking } from '#app/booking/booking-view.server.ts'
import { moment } from '#app/booking/rules/booking.ts'
import { isZone } from '#app/platform/time/weekly-hours.ts'
import { secretHeaders } from '#app/account/sign-in/secret-page.ts'
import { bookTexts } from '#app/content/book.ts'
import { identity } from '#app/content/identity.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Card } from '#app/ui/card.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/manage.page.ts'
import { CallFacts } from './call-facts.tsx'
import { callFacts } from './call-facts.server.ts'
import { shortTime } from './month.ts'
import { refusalText } from './refusal-text.ts'
import { findPicker, listZones } from './picker.server.ts'
import { TimePicker } from './time-picker.tsx'

const { manage: words } = bookTexts

const manageLimit: Limit = { name: 'booking-manage', points: 60, seconds: 600 }
const linkLimit: Limit = { name: 'booking-link', points: 5, seconds: 3600 }

export const handle = { access: 'public' } satisfies Handle

export const headers = secretHeaders

export const meta = () => pageMeta({ title: words.title, index: false })

export async function loader({ request, params: { token } }: Route.LoaderArgs) {
  const booking = await named(token)
  const url = new URL(request.url)
  const isMoving = url.searchParams.has('move') || url.searchParams.has('to')
  const call = await describeBooking(booking)
  const picker =
    isMoving && call.isChangeable
      ? await findPicker(url, { except: [booking.id], callTypeId: booking.callTypeId, zone: call.timeZone })
      : undefined
  const to = moment.safeParse(url.searchParams.get('to')).data
  return data(
    {
      token,
      facts: callFacts(call),
      status: call.status,
      isOver: Date.parse(call.endsAt) < Date.now(),
      isChangeable: call.isChangeable,
      until: shortTime(Date.parse(call.changeableUntil), call.timeZone),
      picker,
      zones: picker ? listZones() : [],
      to:
        to && picker
          ? { startsAt: to, text: shortTime(Date.parse(to), picker.zone), proposal: url.searchParams.get('proposal') ?? '' }
          : undefined,
      now: shortTime(Date.parse(call.startsAt), picker?.zone ?? call.timeZone),
      done: url.searchParams.get('done'),
    },
    { headers: secretHeaders() },
  )
}

export async function action({ request, params: { token }, context }: Route.ActionArgs) {
  const { address } = requestContextOf(context)
  const visitor = visitorKey(address)
  const fields = await readForm(request)
  const { id } = await named(token)
  const here = href('/book/manage/:token', { token })
  try {
    await consume(fields['intent'] === 'link' ? linkLimit : manageLimit, visitor)
    if (fields['intent'] === 'cancel') {
      await cancelBooking(id, {}, { by: 'guest', address })
      return redirect(here, 303)
    }
    if (fields['intent'] === 'link') {
      await replaceManageLink(id, address)
      return data({ sentence: words.linkSent, isDone: true, alternatives: [] })
    }
    const startsAt = moment.safeParse(fields['startsAt'])
    if (!startsAt.success) return data({ sentence: startsAt.error.issues[0]?.message ?? '', isDone: false, alternatives: [] }, 422)
    const { zone = '', proposal } = fields
    const change = { startsAt: new Date(startsAt.data), timeZone: isZone(zone) ? zone : undefined, proposal }
    await changeBooking(id, change, { by: 'guest', address })
    return redirect(`${here}?done=moved`, 303)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { timeZone } = await describeBooking(await named(token))
    const alternatives = (error.extra.alternatives ?? []).map(({ startsAt }) => ({
      startsAt,
      text: shortTime(Date.parse(startsAt), timeZone),
    }))
    return data(
      { sentence: error.extra.alternatives ? refusalText(error.data, alternatives) : error.data, isDone: false, alternatives },
      error.status,
    )
  }
}

async function named(token: string) {
  return (await findBookingByToken(token)) ?? stop('notFound', 'This link doesn’t lead to a booking. Use the one in our latest email.')
}

export default function ManagePage({ loaderData, actionData }: Route.ComponentProps) {
  const { status, isOver, isChangeable, facts } = loaderData
  const isCancelled = status === 'cancelled'
  const title = isCancelled ? words.cancelled.title : isOver ? words.over.title : words.title
  const intro = isCancelled ? words.cancelled.text : isOver ? words.over.text : undefined
  return (
    <Page title={title} intro={intro} kind="text">
      <div className="grid grid-cols-1 gap-8">
        {actionData && <Notice {...actionData} token={loaderData.token} />}
        {!actionData && !isCancelled && !isOver && loaderData.done === 'moved' && (
          <Notice sentence={facts.isEmailed ? words.moved : words.movedOnly} isDone alternatives={[]} token={loaderData.token} />
        )}
        <Card pad="roomy" className="grid grid-cols-1 gap-6">
          <CallFacts facts={facts} />
          {!isCancelled && !isOver && (isChangeable ? <Changes loaderData={loaderData} /> : <Closed />)}
          {(isCancelled || isOver) && (
            <ButtonLink to={href('/book')} className="justify-self-start">
              {words.again}
            </ButtonLink>
          )}
        </Card>
        {!isCancelled && !isOver && <NewLink token={loaderData.token} />}
      </div>
    </Page>
  )
}

type Shown = { loaderData: Route.ComponentProps['loaderData'] }

/** Each step of a change leads here: on a phone, it is below the facts of the call. */
const CHANGE = 'change'

function Changes({ loaderData: { token, picker, zones, to, until, now } }: Shown) {
  const here = href('/book/manage/:token', { token })
  if (picker && to)
    return (
      <form id={CHANGE} method="post" action={here} className="grid scroll-mt-6 justify-items-start gap-4 border-t border-line pt-6">
        <p>
          {words.from} <s>{now}</s> {words.to.toLowerCase()} <strong>{to.text}</strong>
        </p>
        <input type="hidden" name="startsAt" value={to.startsAt} />
        <input type="hidden" name="zone" value={picker.zone} />
        {to.proposal && <input type="hidden" name="proposal" value={to.proposal} />}
        <p className="flex flex-wrap gap-3">
          <Button name="intent" value="move">
            {words.confirmMove}
          </Button>
          <ButtonLink to={here} look="quiet">
            {words.keep}
          </ButtonLink>
        </p>
      </form>
    )
  if (picker) {
    const hrefOf = (params: Record<string, string>) => `${here}?${new URLSearchParams({ move: '1', zone: picker.zone, ...params })}`
    return (
      <div id={CHANGE} className="grid scroll-mt-6 gap-6 border-t border-line pt-6">
        <TimePicker picker={picker} zones={zones} hrefOf={hrefOf} kept={{ move: '1' }}>
          {({ startsAt, text }) => (
            <a href={`${hrefOf({ to: startsAt })}#${CHANGE}`} className={buttonLook('quiet', 'regular', 'min-h-11')}>
              {text}
            </a>
          )}
        </TimePicker>
        <ButtonLink to={here} look="quiet" className="justify-self-start">
          {words.keep}
        </ButtonLink>
      </div>
    )
  }
  return (
    <div className="grid gap-5 border-t border-line pt-6">
      <p className="text-small text-muted">
        {words.until} {until}.
      </p>
      <a href={`${here}?move=1#${CHANGE}`} className={buttonLook('quiet', 'regular', 'justify-self-start')}>
        {words.move}
      </a>
      <details>
        <summary className="link cursor-pointer">{words.cancel}</summary>
        <form method="post" action={here} className="mt-4 grid justify-items-start gap-3">
          <p className="text-small">{words.cancelAsk}</p>
          <Button look="danger" name="intent" value="cancel">
            {words.cancelNow}
          </Button>
        </form>
      </details>
    </div>
  )
}

function Closed() {
  return (
    <p className="border-t border-line pt-6 text-small">
      {words.closed}{' '}
      <a href={`mailto:${identity.email}`} className="link">
        {identity.email}
      </a>
    </p>
  )
}

function NewLink({ token }: { token: string }) {
  return (
    <form method="post" action={href('/book/manage/:token', { token })} className="grid justify-items-start gap-3">
      <p className="text-small text-muted">{words.linkText}</p>
      <Button look="quiet" size="small" name="intent" value="link">
        {words.link}
      </Button>
    </form>
  )
}

type NoticeProps = { sentence: string; isDone: boolean; alternatives: { startsAt: string; text: string }[]; token: string }

function Notice({ sentence, isDone, alternatives, token }: NoticeProps) {
  const here = href('/book/manage/:token', { token })
  return (
    <div
      role={isDone ? 'status' : 'alert'}
      className={
        isDone ? 'rounded-card border border-leaf bg-leaf-wash p-4' : 'grid gap-4 rounded-card border border-alarm bg-alarm-wash p-4'
      }
    >
      <p className="font-semibold">{sentence}</p>
      {alternatives.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {alternatives.map(({ startsAt, text }) => (
            <li key={startsAt}>
              <a
                href={`${here}?${new URLSearchParams({ move: '1', to: startsAt })}`}
                className={buttonLook('quiet', 'regular', 'min-h-11')}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { findCallType } from '#app/booking/call-type.server.ts'
import { type Host, listPossibleHosts } from '#app/booking/host.server.ts'
import { moment } from '#app/booking/rules/booking.ts'
import type { Slot } from '#app/booking/rules/free-slots.ts'
import { entityTag, expectedVersion } from '#app/platform/http/entity-tag.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { textAnswer } from '#app/platform/http/response-schema.ts'
import { stop } from '#app/platform/errors/stop.ts'
import {
  blockBody,
  busySpan,
  CALENDAR,
  callSettings,
  callTypeBody,
  dateName,
  feedBody,
  hostBody,
  hostFeed,
  listedCallType,
  type ListedCallType,
  listedHost,
  type ListedHost,
  override,
  overrideBody,
  previewedSlots,
  privateAddress,
  settingsBody,
} from './calendar.ts'
import {
  addCallType,
  type CountedType,
  findCounted,
  listCounted,
  orderCallTypes,
  removeCallType,
  saveCallType,
  saveFirst,
} from './call-types.server.ts'
import { addFeed, listFeeds, readFeed, removeFeed } from './feed.server.ts'
import {
  blockSpan,
  listAddressed,
  listBusy,
  listOverrides,
  previewSlots,
  removeOverride,
  renewAddress,
  revokeAddress,
  saveHost,
  saveOverride,
  unblockSpan,
} from './hours.server.ts'
import { calendarOfToken } from './own-calls.server.ts'

const tags = ['calls']
const HOST = `${CALENDAR}/hosts/:id`
const id = z.uuid('This host doesn’t exist.')
const params = z.object({ id })
const feedParams = z.object({ id, feedId: z.uuid('This calendar isn’t in the list.') })
const dayParams = z.object({ id, date: dateName })
const noContent = { 204: z.null() }

const reads = (method: string) => /^(GET|HEAD)$/.test(method)

/** Staff read everything about calls; hosts change their own hours, and the owner everyone’s. */
export const calendarApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext, method }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, reads(method) ? 'leads.read' : 'leads.write')
  })
  await app.register(hostApi)
  await app.register(settingApiOfCalls)
  await app.register(callTypeApi)
  await app.register(feedApi)
}

const hostApi: Api = async (app) => {
  app.get(`${CALENDAR}/hosts`, {
    schema: { summary: 'List staff with the hours in which they take calls', tags, response: { 200: z.array(listedHost) } },
    async handler({ requestContext }) {
      const viewer = await allow(requestContext, 'leads.read')
      const [hosts, addressed] = await Promise.all([listPossibleHosts(), listAddressed()])
      return hosts.map((host) => toListedHost(host, viewer, addressed))
    },
  })

  app.put(HOST, {
    schema: {
      summary: 'Save the hours of a host; If-Match: the version they are based on',
      tags,
      params,
      body: hostBody,
      response: { 200: listedHost },
    },
    config: { audit: 'call_hours_saved' },
    async handler({ requestContext, params, headers, body }, reply) {
      const { viewer, host: before } = await allowHost(requestContext, params.id)
      const version = await saveHost(before, body, expected(headers['if-match']))
      const host = await hostNamed(params.id)
      const listed = toListedHost(host, viewer, await listAddressed())
      if (version === undefined)
        stop('conflict', 'Someone saved these hours after you opened them.', { code: 'edit_conflict', current: listed })
      reply.header('etag', entityTag(version))
      return listed
    },
  })

  app.post(`${HOST}/preview`, {
    schema: {
      summary: 'List the free times of the next 14 days that hours would give, without saving them',
      tags,
      params,
      body: hostBody,
      response: { 200: previewedSlots },
    },
    async handler({ params, body }) {
      const slots = await previewSlots(await hostNamed(params.id), body)
      return { zone: body.zone, slots: body.isActive ? slots.map(toTimes) : [] }
    },
  })

  app.get(`${HOST}/overrides`, {
    schema: { summary: 'List dates with other hours', tags, params, response: { 200: z.array(override) } },
    handler: async ({ params }) => listOverrides((await hostNamed(params.id)).id),
  })

  app.put(`${HOST}/overrides/:date`, {
    schema: {
      summary: 'Set other hours for a date; none make it a free day',
      tags,
      params: dayParams,
      body: overrideBody,
      response: { 200: override },
    },
    async handler({ requestContext, params, body }) {
      await allowHost(requestContext, params.id)
      await saveOverride(params.id, params.date, body.spans)
      return { date: params.date, spans: body.spans }
    },
  })

  app.delete(`${HOST}/overrides/:date`, {
    schema: { summary: 'Return a date to its weekly hours', tags, params: dayParams, response: noContent },
    async handler({ requestContext, params }, reply) {
      await allowHost(requestContext, params.id)
      if (!(await removeOverride(params.id, params.date))) stop('notFound', 'This date has its weekly hours.')
      return reply.status(204).send(null)
    },
  })

  app.post(`${HOST}/blocks`, {
    schema: { summary: 'Block a span: no calls are booked in it', tags, params, body: blockBody, response: { 201: busySpan } },
    async handler({ requestContext, params, body: { startsAt, endsAt, reason } }, reply) {
      await allowHost(requestContext, params.id)
      const span = { startsAt: new Date(startsAt), endsAt: new Date(endsAt), reason: reason || null }
      return reply.status(201).send(await blockSpan(params.id, span))
    },
  })

  app.delete(`${HOST}/blocks/:blockId`, {
    schema: {
      summary: 'Free a blocked span',
      tags,
      params: z.object({ id, blockId: z.uuid('This span isn’t blocked.') }),
      response: noContent,
    },
    async handler({ requestContext, params }, reply) {
      await allowHost(requestContext, params.id)
      if (!(await unblockSpan(params.id, params.blockId))) stop('notFound', 'This span isn’t blocked.')
      return reply.status(204).send(null)
    },
  })

  app.get(`${CALENDAR}/busy`, {
    schema: {
      summary: 'List spans without calls: blocked, or busy in another calendar',
      tags,
      querystring: z.object({ from: moment, to: moment }),
      response: { 200: z.array(busySpan) },
    },
    handler: async ({ query: { from, to } }) => listBusy(new Date(from), new Date(to)),
  })
}

const settingApiOfCalls: Api = async (app) => {
  app.get(`${CALENDAR}/settings`, {
    schema: { summary: 'Read title, length and questions of the first call type', tags, response: { 200: callSettings } },
    async handler({ requestContext }, reply) {
      const viewer = await allow(requestContext, 'leads.read')
      const first = await findCallType(null)
      reply.header('etag', entityTag(first.version))
      return { ...first, id: 'settings' as const, mayChange: may(viewer, 'settings.write') }
    },
  })

  app.put(`${CALENDAR}/settings`, {
    schema: {
      summary: 'Save title, length and questions of the first call type; If-Match: the version they are based on',
      tags,
      body: settingsBody,
      response: { 200: callSettings },
    },
    config: { audit: 'call_settings_saved' },
    async handler({ requestContext, headers, body }, reply) {
      await allow(requestContext, 'settings.write')
      const isSaved = await saveFirst(body, expected(headers['if-match']))
      const current = { ...(await findCallType(null)), id: 'settings' as const, mayChange: true }
      if (!isSaved) stop('conflict', 'Someone saved these settings after you opened them.', { code: 'edit_conflict', current })
      reply.header('etag', entityTag(current.version))
      return current
    },
  })
}

const TYPES = `${CALENDAR}/types`
const typeParams = z.object({ id: z.uuid('This call type doesn’t exist.') })

const callTypeApi: Api = async (app) => {
  app.get(TYPES, {
    schema: { summary: 'List the call types that visitors can book, in their order', tags, response: { 200: z.array(listedCallType) } },
    async handler({ requestContext }) {
      const viewer = await allow(requestContext, 'leads.read')
      return (await listCounted()).map((type) => toListedType(type, viewer))
    },
  })

  app.post(TYPES, {
    schema: { summary: 'Add a call type with an address of its own', tags, body: callTypeBody, response: { 201: listedCallType } },
    config: { audit: 'call_type_saved' },
    async handler({ requestContext, body }, reply) {
      const viewer = await allow(requestContext, 'leads.write')
      if (body.slug === null) stop('unprocessable', NO_SLUG, { code: 'validation_failed', errors: { slug: NO_SLUG } })
      const added = await addCallType(body)
      return reply
        .status(201)
        .header('etag', entityTag(added.version))
        .send(toListedType({ ...added, ahead: 0 }, viewer))
    },
  })

  app.put(`${TYPES}/order`, {
    schema: { summary: 'Set the order of the call types', tags, body: z.object({ ids: z.array(z.string()) }), response: noContent },
    config: { audit: 'call_types_ordered' },
    async handler({ body }, reply) {
      await orderCallTypes(body.ids)
      return reply.status(204).send(null)
    },
  })

  app.put(`${TYPES}/:id`, {
    schema: {
      summary: 'Save a call type; If-Match: the version it is based on',
      tags,
      params: typeParams,
      body: callTypeBody,
      response: { 200: listedCallType },
    },
    config: { audit: 'call_type_saved' },
    async handler({ requestContext, params, headers, body }, reply) {
      const before = await findCounted(params.id)
      const viewer = await allow(requestContext, before.slug === null ? 'settings.write' : 'leads.write')
      const isSaved = await saveCallType(before, body, expected(headers['if-match']))
      const current = toListedType(await findCounted(params.id), viewer)
      if (!isSaved) stop('conflict', 'Someone saved this call type after you opened it.', { code: 'edit_conflict', current })
      reply.header('etag', entityTag(current.version))
      return current
    },
  })

  app.delete(`${TYPES}/:id`, {
    schema: {
      summary: 'Delete a call type; with calls ahead, only with calls=keep: they stay booked',
      tags,
      params: typeParams,
      querystring: z.object({ calls: z.literal('keep', 'calls is keep').optional() }),
      response: noContent,
    },
    config: { audit: 'call_type_removed' },
    async handler({ params, query }, reply) {
      await removeCallType(params.id, { keepsCalls: query.calls === 'keep' })
      return reply.status(204).send(null)
    },
  })
}

const NO_SLUG = 'Choose the address at which visitors book it'

function toListedType({ isOffered: _isOffered, position: _position, ...type }: CountedType, viewer: CurrentUser): ListedCallType {
  return { ...type, mayChange: type.slug !== null || may(viewer, 'settings.write') }
}

const feedApi: Api = async (app) => {
  app.get(`${HOST}/feeds`, {
    schema: { summary: 'List the calendars whose busy times block calls', tags, params, response: { 200: z.array(hostFeed) } },
    handler: async ({ params }) => listFeeds(params.id),
  })

  app.post(`${HOST}/feeds`, {
    schema: {
      summary: 'Subscribe to a calendar by its https address, and read it',
      tags,
      params,
      body: feedBody,
      response: { 201: hostFeed },
    },
    config: { audit: 'call_calendar_added', limit: perVisitor('booking-feeds', 30, '10 minutes') },
    async handler({ requestContext, params, body }, reply) {
      await allowHost(requestContext, params.id)
      const added = await readFeed(await addFeed(params.id, body))
      return reply.status(201).send(added ?? unknownFeed())
    },
  })

  app.post(`${HOST}/feeds/:feedId/read`, {
    schema: { summary: 'Read a calendar now', tags, params: feedParams, response: { 200: hostFeed } },
    config: { limit: perVisitor('booking-feeds', 30, '10 minutes') },
    async handler({ requestContext, params }) {
      await allowHost(requestContext, params.id)
      const own = (await listFeeds(params.id)).some((each) => each.id === params.feedId)
      return (own && (await readFeed(params.feedId))) || unknownFeed()
    },
  })

  app.delete(`${HOST}/feeds/:feedId`, {
    schema: { summary: 'End a subscription', tags, params: feedParams, response: noContent },
    config: { audit: 'call_calendar_removed' },
    async handler({ requestContext, params }, reply) {
      await allowHost(requestContext, params.id)
      if (!(await removeFeed(params.id, params.feedId))) unknownFeed()
      return reply.status(204).send(null)
    },
  })

  app.post(`${HOST}/address`, {
    schema: { summary: 'Create your private address of your calls; the one before ends', tags, params, response: { 201: privateAddress } },
    config: { audit: 'call_address_renewed' },
    async handler({ requestContext, params }, reply) {
      await allowSelf(requestContext, params.id)
      return reply.status(201).send({ url: await renewAddress(params.id) })
    },
  })

  app.delete(`${HOST}/address`, {
    schema: { summary: 'Revoke your private address', tags, params, response: noContent },
    config: { audit: 'call_address_revoked' },
    async handler({ requestContext, params }, reply) {
      await allowSelf(requestContext, params.id)
      await revokeAddress(params.id)
      return reply.status(204).send(null)
    },
  })
}

/** The private address itself. A calendar program that has it reads the calls without a session. */
export const ownCallsApi: Api = async (app) => {
  app.get('/calendar/:file', {
    schema: {
      summary: 'Get the calls of a host as a calendar, by a private address',
      tags,
      params: z.object({ file: z.string() }),
      response: { 200: textAnswer('The calendar.', 'text/calendar') },
    },
    config: { limit: perVisitor('own-calls', 120, '10 minutes') },
    async handler({ params }, reply) {
      const [, token] = /^([\w-]{32})\.ics$/.exec(params.file) ?? []
      const calendar = token && (await calendarOfToken(token))
      if (!calendar) stop('notFound', 'There is no calendar at this address.')
      return reply
        .headers({ 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
        .send(calendar)
    },
  })
}

async function hostNamed(hostId: string): Promise<Host> {
  return (await listPossibleHosts()).find((host) => host.id === hostId) ?? stop('notFound', 'This host doesn’t exist.')
}

async function allowHost(requestContext: RequestContext, hostId: string): Promise<{ viewer: CurrentUser; host: Host }> {
  const viewer = await allow(requestContext, 'leads.write')
  const host = await hostNamed(hostId)
  if (!mayChange(viewer, hostId)) await allow(requestContext, 'settings.write')
  return { viewer, host }
}

async function allowSelf(requestContext: RequestContext, hostId: string): Promise<void> {
  const viewer = await allow(requestContext, 'leads.write')
  await hostNamed(hostId)
  if (viewer.id !== hostId) stop('forbidden', 'Only hosts themselves can have the address of their calls.')
}

function mayChange(viewer: CurrentUser, hostId: string): boolean {
  return viewer.id === hostId || may(viewer, 'settings.write')
}

function toListedHost(
  { rules, email: _email, usualName: _usualName, ...host }: Host,
  viewer: CurrentUser,
  addressed: ReadonlySet<string>,
): ListedHost {
  return { ...host, ...rules, isYou: host.id === viewer.id, mayChange: mayChange(viewer, host.id), hasAddress: addressed.has(host.id) }
}

function toTimes({ startsAt, endsAt }: Slot) {
  return { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() }
}

/** A save without a version would overwrite another person's unseen. */
function expected(ifMatch: string | undefined): number {
  return (
    expectedVersion(ifMatch) ??
    stop('badRequest', 'If-Match is missing: send the version as ETag gave it, such as "3".', { code: 'bad_if_match' })
  )
}

function unknownFeed(): never {
  return stop('notFound', 'This calendar isn’t in the list.')
}

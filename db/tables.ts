import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'
import type { Json, JsonWithDefault, CreatedAt } from './column-kinds.ts'
import type { Source } from '#app/platform/http/source.ts'
import type { AccountRight } from '#app/auth/users/role.ts'
import type { BillingTables } from './billing-tables.ts'
import type { DatasetTables } from './dataset-tables.ts'
import type { InvoiceTables } from './invoice-tables.ts'
import type { TransferTables } from './transfer-tables.ts'

/** Every table and column of the product. A test compares this map with the migrated database. */
export type Tables = DatasetTables &
  BillingTables &
  InvoiceTables &
  TransferTables & {
    people: People
    contacts: Contacts
    leads: Leads
    leadStages: LeadStages
    leadLostReasons: LeadLostReasons
    leadBatches: LeadBatches
    leadNotes: LeadNotes
    leadTasks: LeadTasks
    leadEvents: LeadEvents
    leadViews: LeadViews
    leadColumns: LeadColumns
    leadMessages: LeadMessages
    leadFiles: LeadFiles
    leadClocks: LeadClocks
    servicePromises: ServicePromises
    serviceSpans: ServiceSpans
    leadTemplates: LeadTemplates
    leadSignatures: LeadSignatures
    mailboxes: Mailboxes
    personMerges: PersonMerges
    differentPeople: DifferentPeople
    consultations: Consultations
    jobs: Jobs
    users: Users
    installation: Installation
    identities: Identities
    sessions: Sessions
    refreshTokens: RefreshTokens
    oneTimeTokens: OneTimeTokens
    flowStates: FlowStates
    mfaFactors: MfaFactors
    mfaChallenges: MfaChallenges
    webauthnCredentials: WebauthnCredentials
    passkeyChallenges: PasskeyChallenges
    recoveryCodes: RecoveryCodes
    spentSignatures: SpentSignatures
    avatars: Avatars
    accountDeletions: AccountDeletions
    hostedAccounts: HostedAccounts
    hostedSessions: HostedSessions
    hostedSignUps: HostedSignUps
    accounts: Accounts
    auditEvents: AuditEvents
    rateLimits: RateLimits
    posts: Posts
    postDrafts: PostDrafts
    postRevisions: PostRevisions
    postPreviews: PostPreviews
    images: Images
    redirects: Redirects
    deletedRedirects: DeletedRedirects
    missingPaths: MissingPaths
    notifications: Notifications
    notificationPreferences: NotificationPreferences
    notificationDispatches: NotificationDispatches
    pushSubscriptions: PushSubscriptions
    webhookEndpoints: WebhookEndpoints
    webhookDeliveries: WebhookDeliveries
    webhookAttempts: WebhookAttempts
    newsletterSubscribers: NewsletterSubscribers
    newsletterIssues: NewsletterIssues
    newsletterDeliveries: NewsletterDeliveries
    siteSettings: SiteSettings
    siteSettingRevisions: SiteSettingRevisions
    siteFiles: SiteFiles
    callTypes: CallTypes
    bookingHosts: BookingHosts
    bookingOverrides: BookingOverrides
    bookingFeeds: BookingFeeds
    bookingBusy: BookingBusy
    bookings: Bookings
    hiddenFirstSteps: HiddenFirstSteps
    secrets: Secrets
    organizations: Organizations
    organizationMembers: OrganizationMembers
    organizationInvitations: OrganizationInvitations
    organizationDomains: OrganizationDomains
    organizationJoinRequests: OrganizationJoinRequests
    organizationMerges: OrganizationMerges
    organizationQuotas: OrganizationQuotas
  }

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>

type People = {
  id: string
  email: string | null
  name: string
  createdAt: CreatedAt
  updatedAt: Generated<Date>
  mergedInto: string | null
  bouncedAt: Date | null
  bounceReason: string | null
  organizationId: string | null
}

/** `oneId` is the smaller one. */
type DifferentPeople = {
  oneId: string
  otherId: string
  actorId: string | null
  createdAt: CreatedAt
}

type Contacts = {
  id: string
  reference: string
  personId: string
  form: 'home' | 'contact' | 'landing' | 'hire' | 'import' | 'staff'
  name: string
  email: string
  company: string | null
  serviceType: string | null
  country: string
  countryCode: string | null
  problem: string
  message: string
  budget: string | null
  timeframe: string | null
  idempotencyKey: string | null
  spamScore: Generated<number>
  spamReasons: Generated<string[]>
  quarantinedAt: Date | null
  releasedAt: Date | null
  answeredAt: Date | null
  proposal: 'sent' | 'not_needed' | null
  proposalSettledAt: Date | null
  createdAt: CreatedAt
  promisedFrom: GeneratedAlways<Date>
  search: GeneratedAlways<string>
  deletedAt: Date | null
  withdrawnAt: Date | null
  cameFrom: Json<Source> | null
}

/** The desk's side of an enquiry. A trigger of `contacts` adds the row and keeps the copies: `isListed` to `createdAt`. */
type Leads = {
  contactId: string
  stageId: Generated<number>
  stageSince: Generated<Date>
  ownerId: string | null
  valueCents: number | null
  nextStep: string | null
  nextStepAt: Date | null
  tags: Generated<string[]>
  isStarred: Generated<boolean>
  phone: string | null
  lostReason: string | null
  updatedAt: Generated<Date>
  isListed: boolean
  isAnswered: boolean
  isWithdrawn: Generated<boolean>
  country: string
  serviceType: string | null
  form: string
  createdAt: Date
  pageVersion: Generated<number>
  pageRevokedAt: Date | null
}

type LeadStages = {
  id: number
  name: string
  position: number
  probability: number
  outcome: Generated<'open' | 'won' | 'lost'>
  automatic: 'new' | 'reply' | 'call' | 'proposal' | 'won' | 'lost' | null
}

type LeadLostReasons = {
  position: number
  name: string
}

type LeadBatches = {
  id: string
  kind: 'stage' | 'owner' | 'tags' | 'delete' | 'import'
  actorId: string | null
  title: string | null
  leads: Generated<number>
  undoneAt: Date | null
  createdAt: CreatedAt
}

type LeadNotes = {
  id: string
  contactId: string
  authorId: string | null
  text: string
  html: string
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type LeadTasks = {
  id: string
  contactId: string
  title: string
  assigneeId: string | null
  dueAt: Date | null
  remindAt: Date | null
  doneAt: Date | null
  createdBy: string | null
  createdAt: CreatedAt
}

type LeadEvents = {
  id: string
  contactId: string
  kind: string
  actorId: string | null
  detail: JsonWithDefault<Record<string, unknown>>
  noteId: string | null
  messageId: string | null
  batchId: string | null
  createdAt: CreatedAt
}

type LeadViews = {
  id: string
  userId: string
  name: string
  query: string
  isShared: Generated<boolean>
  createdAt: CreatedAt
}

type LeadColumns = {
  userId: string
  columns: string[]
  updatedAt: Generated<Date>
}

type LeadMessages = {
  id: string
  contactId: string | null
  direction: 'in' | 'out'
  kind: Generated<'message' | 'autoreply' | 'bounce'>
  state: 'received' | 'dismissed' | 'scheduled' | 'sending' | 'sent' | 'failed'
  messageId: string
  inReplyTo: string | null
  threadIds: Generated<string[]>
  fromName: Generated<string>
  fromAddress: string
  replyToName: Generated<string>
  replyToAddress: Generated<string>
  toAddresses: Generated<string[]>
  subject: Generated<string>
  text: Generated<string>
  html: string | null
  hasRemoteContent: Generated<boolean>
  authorId: string | null
  sendAt: Date | null
  error: string | null
  matchedBy: 'thread' | 'token' | 'sender' | 'staff' | null
  digest: Uint8Array | null
  createdAt: CreatedAt
}

type LeadFiles = {
  id: string
  contactId: string | null
  messageId: string | null
  source: 'email' | 'reply' | 'visitor' | 'staff'
  name: string
  type: string
  size: number
  storedAs: string
  createdBy: string | null
  /** Set anew when a cancelled reply gives it back. */
  createdAt: Generated<Date>
}

/** A promise to the sender of an enquiry. A trigger of `contacts` keeps these rows. */
type LeadClocks = {
  contactId: string
  clock: 'acknowledgement' | 'response' | 'proposal'
  since: Date
  dueAt: Date
  endedAt: Date | null
  state: 'running' | 'ended' | 'void'
  warnedAt: Date | null
  breachToldAt: Date | null
}

type ServicePromises = {
  clock: 'acknowledgement' | 'response' | 'proposal'
  hours: number
}

/** The business hours as instants; none when clocks run in elapsed hours. */
type ServiceSpans = {
  opensAt: Date
  closesAt: Date
  openAfter: number
}

type LeadTemplates = {
  id: string
  name: string
  subject: string
  text: string
  position: Generated<number>
  updatedBy: string | null
  updatedAt: Generated<Date>
}

type LeadSignatures = {
  userId: string
  text: string
  updatedAt: Generated<Date>
}

type Mailboxes = {
  name: string
  uidValidity: number
  lastUid: number
  checkedAt: Date | null
  error: string | null
}

type PersonMerges = {
  id: string
  personId: string
  intoId: string
  contactIds: Generated<string[]>
  consultationIds: Generated<string[]>
  bookingIds: Generated<string[]>
  personIds: Generated<string[]>
  actorId: string | null
  undoneAt: Date | null
  createdAt: CreatedAt
}

type Consultations = {
  id: string
  personId: string
  contactId: string | null
  source: 'contact' | 'staff' | 'booking'
  name: string
  email: string
  company: string | null
  phone: string | null
  projectDescription: string
  createdAt: CreatedAt
  search: GeneratedAlways<string>
}

type Jobs = {
  id: string
  kind: string
  payload: Json<unknown>
  dedupeKey: string | null
  runAt: Generated<Date>
  attempts: Generated<number>
  maxAttempts: Generated<number>
  lockedUntil: Date | null
  doneAt: Date | null
  failedAt: Date | null
  lastError: string | null
  createdAt: CreatedAt
}

type Users = {
  id: string
  email: string | null
  phone: string | null
  passwordHash: string | null
  passwordShort: Generated<boolean>
  emailConfirmedAt: Date | null
  phoneConfirmedAt: Date | null
  invitedAt: Date | null
  confirmationSentAt: Date | null
  recoverySentAt: Date | null
  reauthenticationSentAt: Date | null
  newEmail: string | null
  emailChangeSentAt: Date | null
  newPhone: string | null
  phoneChangeSentAt: Date | null
  lastSignInAt: Date | null
  appMetadata: JsonWithDefault<Record<string, unknown>>
  userMetadata: JsonWithDefault<Record<string, unknown>>
  isAnonymous: Generated<boolean>
  tokenRole: Generated<string>
  bannedUntil: Date | null
  deletedAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
  staffSince: Date | null
  emailAssumed: Generated<boolean>
  phoneAssumed: Generated<boolean>
  invitedRole: 'staff' | 'owner' | null
  cameFrom: Json<Source> | null
  rights: JsonWithDefault<AccountRight[]>
}

type Installation = {
  singleton: Generated<boolean>
  ownerId: string | null
  createdAt: CreatedAt
  blogBegunAt: Date | null
  shelfBegunAt: Date | null
  importHolder: string | null
  importUntil: Date | null
  testedMailServer: string | null
}

type Identities = {
  id: string
  userId: string
  provider: string
  providerId: string
  identityData: JsonWithDefault<Record<string, unknown>>
  email: string | null
  lastSignInAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
  joinedUnproven: Generated<boolean>
}

type Sessions = {
  id: string
  userId: string
  aal: Generated<'aal1' | 'aal2'>
  amr: JsonWithDefault<{ method: string; timestamp: number; provider?: string }[]>
  userAgent: string | null
  address: string | null
  createdAt: CreatedAt
  refreshedAt: Generated<Date>
  factorId: string | null
  ownPages: Generated<boolean>
}

type RefreshTokens = {
  tokenHash: Uint8Array
  sessionId: string
  parentHash: Uint8Array | null
  successorSealed: Uint8Array | null
  usedAt: Date | null
  createdAt: CreatedAt
}

type OneTimeTokens = {
  id: string
  userId: string
  kind: 'confirmation' | 'address' | 'recovery' | 'email_change_current' | 'email_change_new' | 'phone_change' | 'reauthentication'
  linkHash: Uint8Array
  codeHmac: Uint8Array
  sentTo: string
  tries: Generated<number>
  issuedAt: Generated<Date>
  flowId: string | null
  followedAt: Date | null
  broughtSealed: Uint8Array | null
  signUp: Generated<string>
}

type FlowStates = {
  id: string
  userId: string | null
  method: 'email/signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change' | 'oauth' | 'sso/saml'
  codeChallenge: string | null
  codeChallengeMethod: 's256' | 'plain' | null
  codeHash: Uint8Array | null
  provider: string | null
  redirectTo: string | null
  linkingUserId: string | null
  secretsSealed: Uint8Array | null
  createdAt: CreatedAt
  usedAt: Date | null
  codeIssuedAt: Date | null
}

type MfaFactors = {
  id: string
  userId: string
  factorType: 'totp' | 'phone' | 'webauthn'
  status: Generated<'unverified' | 'verified'>
  friendlyName: string | null
  phone: string | null
  secretSealed: Uint8Array | null
  lastStep: number | null
  lastChallengedAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type MfaChallenges = {
  id: string
  factorId: string
  sessionId: string
  address: string
  codeHmac: Uint8Array | null
  webauthnChallenge: Uint8Array | null
  tries: Generated<number>
  verifiedAt: Date | null
  createdAt: CreatedAt
}

type WebauthnCredentials = {
  id: string
  userId: string
  /** Null for a passkey. */
  factorId: string | null
  credentialId: Uint8Array
  publicKey: Uint8Array
  signCount: Generated<number>
  aaguid: string | null
  transports: JsonWithDefault<string[]>
  backupEligible: Generated<boolean>
  backedUp: Generated<boolean>
  friendlyName: Generated<string>
  lastUsedAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type PasskeyChallenges = {
  id: string
  sessionId: string | null
  challenge: Uint8Array
  createdAt: CreatedAt
}

type RecoveryCodes = {
  id: string
  userId: string
  codeHash: Uint8Array
  usedAt: Date | null
  createdAt: CreatedAt
}

type SpentSignatures = {
  signatureHash: Uint8Array
  expiresAt: Date
}

type Avatars = {
  userId: string
  id: string
  picture: Uint8Array
  createdAt: CreatedAt
}

type AccountDeletions = {
  userId: string
  dueAt: Date
  createdAt: CreatedAt
}

type HostedAccounts = {
  id: string
  email: string | null
  role: Generated<'customer' | 'staff' | 'owner'>
  userMetadata: JsonWithDefault<Record<string, unknown>>
  bannedUntil: Date | null
  lastSeenAt: Generated<Date>
  createdAt: CreatedAt
  deletedAt: Date | null
  emailConfirmedAt: Date | null
  hasFactor: Generated<boolean>
  staffSince: Date | null
  invitedRole: 'staff' | 'owner' | null
  emailAssumed: Generated<boolean>
  cameFrom: Json<Source> | null
  rights: JsonWithDefault<AccountRight[]>
}

type HostedSessions = {
  id: string
  accountId: string
  userAgent: string | null
  address: string | null
  endedAt: Date | null
  lastSeenAt: Generated<Date>
  createdAt: CreatedAt
}

/** Sources of accounts that had no session yet. */
type HostedSignUps = {
  id: string
  cameFrom: Json<Source>
  createdAt: CreatedAt
}

/** A view of `users` and `hostedAccounts`. */
type Accounts = {
  id: string
  isHosted: boolean
  email: string | null
  emailConfirmedAt: Date | null
  emailProven: boolean
  isConfirmed: boolean
  role: string | null
  ownsInstallation: boolean
  staffSince: Date | null
  hasFactor: boolean
  userMetadata: Json<Record<string, unknown>>
  bannedUntil: Date | null
  createdAt: Date
  deletedAt: Date | null
  rights: Json<AccountRight[]>
}

type AuditEvents = {
  id: string
  action: string
  actorId: string | null
  subjectId: string | null
  address: string | null
  detail: JsonWithDefault<Record<string, unknown>>
  createdAt: CreatedAt
}

type RateLimits = {
  key: string
  points: Generated<number>
  expire: number | null
}

type Posts = {
  id: string
  slug: string
  title: string
  excerpt: string
  content: string
  featuredImage: string | null
  featuredImageAlt: string | null
  tags: Generated<string[]>
  metaTitle: string | null
  metaDescription: string | null
  published: Generated<boolean>
  publishedAt: Date | null
  authorId: string
  html: string
  headings: JsonWithDefault<{ id: string; depth: number; title: string }[]>
  words: Generated<number>
  rendering: Generated<number>
  version: Generated<number>
  wasPublic: Generated<boolean>
  removedAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
  search: GeneratedAlways<string>
}

type PostDrafts = {
  postId: string
  fields: Json<Record<string, unknown>>
  baseVersion: number
  version: Generated<number>
  editorId: string
  updatedAt: Generated<Date>
}

type PostRevisions = {
  id: string
  postId: string
  version: number
  fields: Json<Record<string, unknown>>
  editorId: string
  createdAt: CreatedAt
}

type PostPreviews = {
  id: string
  postId: string
  tokenHash: string
  createdBy: string
  expiresAt: Date
  createdAt: CreatedAt
}

type Images = {
  id: string
  alt: string
  fileName: string
  width: number
  height: number
  bytes: number
  widths: number[]
  sha256: string
  createdBy: string
  createdAt: CreatedAt
}

type Redirects = {
  id: string
  position: number
  fromPath: string
  toPath: string
  statusCode: Generated<number>
  isActive: Generated<boolean>
  description: string | null
  kind: Generated<'exact' | 'wildcard' | 'pattern'>
  query: Generated<'pass' | 'ignore' | 'exact' | 'contains'>
  ignoresSlash: Generated<boolean>
  ignoresCase: Generated<boolean>
  hits: Generated<number>
  lastHitAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

/** For an undo. */
type DeletedRedirects = {
  id: string
  position: number
  fromPath: string
  toPath: string
  statusCode: Generated<number>
  isActive: Generated<boolean>
  description: string | null
  kind: Generated<'exact' | 'wildcard' | 'pattern'>
  query: Generated<'pass' | 'ignore' | 'exact' | 'contains'>
  ignoresSlash: Generated<boolean>
  ignoresCase: Generated<boolean>
  hits: Generated<number>
  lastHitAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
  deletedAt: Generated<Date>
}

type MissingPaths = {
  path: string
  hits: Generated<number>
  botHits: Generated<number>
  referrer: string | null
  firstSeenAt: Generated<Date>
  lastSeenAt: Generated<Date>
  ignoredAt: Date | null
}

type NotificationPreferences = {
  userId: string
  channels: JsonWithDefault<Record<string, unknown>>
  zone: string
  digestHour: Generated<number>
  quietFrom: number | null
  quietUntil: number | null
  updatedAt: Generated<Date>
}

type NotificationDispatches = {
  notificationId: string
  channel: 'email' | 'push'
  userId: string
  dueAt: Date
  sentAt: Date | null
}

type PushSubscriptions = {
  id: string
  userId: string
  sessionId: string
  addressHash: Uint8Array
  sealed: Uint8Array
  device: string
  lastSentAt: Date | null
  createdAt: CreatedAt
}

type WebhookEndpoints = {
  id: string
  label: string
  format: 'standard' | 'chat'
  urlSealed: Uint8Array
  events: string[]
  secretSealed: Uint8Array
  formerSecretSealed: Uint8Array | null
  formerUntil: Date | null
  disabledAt: Date | null
  disabledBecause: 'owner' | 'failures' | null
  failingSince: Date | null
  lastFailureAt: Date | null
  lastSuccessAt: Date | null
  createdBy: string | null
  createdAt: CreatedAt
}

type WebhookDeliveries = {
  id: string
  endpointId: string
  messageId: string
  event: string
  body: string
  subjectId: string | null
  state: Generated<'pending' | 'delivered' | 'failed'>
  round: Generated<number>
  attempts: Generated<number>
  nextAttemptAt: Date | null
  createdAt: CreatedAt
  settledAt: Date | null
}

type WebhookAttempts = {
  id: string
  deliveryId: string
  status: number | null
  error: string | null
  response: Generated<string>
  ms: number
  createdAt: CreatedAt
}

type Notifications = {
  id: string
  userId: string
  kind: string
  title: string
  body: string | null
  link: string
  subjectId: string | null
  dedupeKey: string
  readAt: Date | null
  createdAt: CreatedAt
}

type NewsletterSubscribers = {
  id: string
  email: string
  source: 'blog' | 'post' | 'page'
  askedAt: Generated<Date>
  confirmedAt: Date | null
  unsubscribedAt: Date | null
  bouncedAt: Date | null
  createdAt: CreatedAt
  cameFrom: Json<Source> | null
}

type NewsletterIssues = {
  id: string
  postId: string
  sentBy: string
  recipients: number
  queuedAt: Date | null
  createdAt: CreatedAt
}

type NewsletterDeliveries = {
  id: string
  issueId: string
  subscriberId: string | null
  outcome: 'sent' | 'bounced' | 'skipped' | 'failed' | null
  settledAt: Date | null
  createdAt: CreatedAt
}

type Secrets = {
  name: string
  sealed: Uint8Array
  changedAt: Generated<Date>
}

type HiddenFirstSteps = {
  userId: string
  hiddenAt: Generated<Date>
}

type SiteSettings = {
  section: string
  value: Json<Record<string, unknown>> | null
  version: Generated<number>
  draft: Json<Record<string, unknown>> | null
  updatedAt: Generated<Date>
}

type SiteSettingRevisions = {
  section: string
  version: number
  value: Json<Record<string, unknown>> | null
  editorId: string
  createdAt: CreatedAt
}

type SiteFiles = {
  name: string
  bytes: Uint8Array
  createdAt: CreatedAt
}

type CallTypes = {
  id: string
  /** Null: the first one, at `/book`. */
  slug: string | null
  title: string
  lengthMinutes: number
  stepMinutes: number
  changeWindowMinutes: number
  questions: JsonWithDefault<{ label: string; isRequired: boolean }[]>
  /** Null, also below: those of each host. */
  hours: Json<{ from: string; until: string }[][]> | null
  place: string | null
  noticeMinutes: number | null
  bufferBeforeMinutes: number | null
  bufferAfterMinutes: number | null
  isActive: Generated<boolean>
  position: Generated<number>
  deletedAt: Date | null
  version: Generated<number>
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type BookingHosts = {
  userId: string
  /** Null: what the account or the business is called. */
  name: string | null
  isActive: Generated<boolean>
  zone: string
  /** Seven lists of spans, Monday first. */
  hours: Json<{ from: string; until: string }[][]>
  noticeMinutes: number
  horizonDays: number
  bufferBeforeMinutes: number
  bufferAfterMinutes: number
  dailyCap: number | null
  place: Generated<string>
  feedTokenHash: Uint8Array | null
  version: Generated<number>
  createdAt: CreatedAt
  updatedAt: Generated<Date>
  confirmedAt: Date | null
}

type BookingOverrides = {
  hostId: string
  onDate: string
  spans: JsonWithDefault<{ from: string; until: string }[]>
  updatedAt: Generated<Date>
}

type BookingFeeds = {
  id: string
  hostId: string
  label: string
  urlSealed: Uint8Array
  state: Generated<'new' | 'ok' | 'failing'>
  lastTriedAt: Date | null
  lastSuccessAt: Date | null
  lastError: string | null
  createdAt: CreatedAt
}

type BookingBusy = {
  id: string
  hostId: string
  feedId: string | null
  startsAt: Date
  endsAt: Date
  reason: string | null
  createdAt: CreatedAt
}

type Bookings = {
  id: string
  reference: string | null
  source: Generated<'site' | 'calendly' | 'cal' | 'embed'>
  hostId: string | null
  /** Null: the first one, or a call of another scheduler. */
  callTypeId: string | null
  status: 'held' | 'booked' | 'cancelled' | 'completed' | 'no_show'
  startsAt: Date
  endsAt: Date
  blockedFrom: Date
  blockedUntil: Date
  blocked: GeneratedAlways<string>
  guestZone: string | null
  personId: string | null
  contactId: string | null
  consultationId: string | null
  name: string | null
  email: string | null
  company: string | null
  phone: string | null
  projectDescription: string | null
  answers: JsonWithDefault<{ question: string; answer: string }[]>
  place: Generated<string>
  manageVersion: Generated<number>
  manageHash: Uint8Array | null
  guestEmailed: Generated<boolean>
  sequence: Generated<number>
  heldUntil: Date | null
  holder: string | null
  holderNetwork: string | null
  idempotencyKey: string | null
  changedBy: 'guest' | 'staff' | 'scheduler' | null
  changedById: string | null
  changeReason: string | null
  externalId: string | null
  isVerified: Generated<boolean>
  bookedAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
  cameFrom: Json<Source> | null
}

type MemberRole = 'reader' | 'member' | 'buyer' | 'admin'

/** A personal one, of one account, has the id of the account, no reference and no name. */
type Organizations = {
  id: string
  reference: string | null
  isPersonal: Generated<boolean>
  name: Generated<string>
  legalName: Generated<string>
  address: Generated<string>
  countryCode: Generated<string>
  kind: Generated<'' | 'business' | 'consumer'>
  vatNumber: Generated<string>
  vatState: Generated<'valid' | 'invalid' | 'not_checked'>
  vatCheckedAt: Date | null
  vatConsultation: string | null
  currency: Generated<string>
  language: Generated<string>
  needsPurchaseOrder: Generated<boolean>
  paymentDays: number | null
  billingEmails: Generated<string>
  notes: Generated<string>
  state: Generated<'active' | 'suspended' | 'closed'>
  monthlyQuota: number
  signInProvider: Generated<string>
  withoutAdminSince: Date | null
  mergedInto: string | null
  version: Generated<number>
  createdAt: CreatedAt
  updatedAt: Generated<Date>
  invoiceLimit: number | null
  stripeCustomer: string | null
  region: Generated<string>
  buyerReference: Generated<string>
  electronicAddress: Generated<string>
  invoiceFormat: Generated<'' | 'xrechnung' | 'peppol'>
  vatEvidence: Generated<string>
}

type OrganizationMembers = {
  organizationId: string
  userId: string
  role: MemberRole
  createdAt: CreatedAt
}

type OrganizationInvitations = {
  id: string
  organizationId: string
  email: string
  role: MemberRole
  tokenHash: Uint8Array
  invitedBy: string
  expiresAt: Date
  settledAt: Date | null
  outcome: 'accepted' | 'declined' | 'revoked' | null
  createdAt: CreatedAt
}

type OrganizationDomains = {
  id: string
  organizationId: string
  domain: string
  challenge: string
  provenAt: Date | null
  provenBy: 'dns' | 'staff' | null
  removedAt: Date | null
  createdAt: CreatedAt
}

type OrganizationJoinRequests = {
  id: string
  organizationId: string
  userId: string
  settledAt: Date | null
  outcome: 'accepted' | 'declined' | null
  createdAt: CreatedAt
}

type OrganizationMerges = {
  id: string
  organizationId: string
  intoId: string
  moved: Json<Record<string, unknown>>
  actorId: string | null
  undoneAt: Date | null
  createdAt: CreatedAt
}

type OrganizationQuotas = {
  organizationId: string
  month: string
  used: Generated<number>
  told: Generated<number>
}

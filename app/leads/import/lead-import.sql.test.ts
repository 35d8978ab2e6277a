import { beforeEach, describe, expect, test } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { makeContact, signIn } from '#test/factories.ts'
import { readImport } from './lead-import.server.ts'
import { matchColumns } from './lead-import.ts'
import { storeImport } from './store-import.server.ts'

const app = await startEndpoints()
const staff = await signIn('staff', { email: 'grace@example.com' })
beforeEach(async () => {
  await db.deleteFrom('contacts').execute()
  await db.deleteFrom('people').execute()
  await db.deleteFrom('leadBatches').execute()
  await db.deleteFrom('jobs').execute()
  await forgetAllEvents()
})

type Headers = Record<string, string>
const post = async (url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
const importText = async (text: string, more: object = {}, dry = false) =>
  post(`/api/leads/import?dry=${dry}`, { text, title: 'crm.csv', ...more })
const leads = async () => (await app.inject({ url: '/api/leads?sort=name', headers: staff.headers })).json().leads
const actions = async () => (await db.selectFrom('auditEvents').select('action').orderBy('id').execute()).map(({ action }) => action)

const file = [
  'First Name,Last Name,Email Address,Company Name,Deal Amount,Deal Stage,Contact Owner,Labels,Notes,Create Date,Favorite Color',
  'Ada,Lovelace,ada@analytical.example,Analytical,"$2,500.50",qualified,GRACE@example.com,"vip, eu",Called **twice**,2026-01-02,green',
  'Bob,Neighbour,bob@shop.example,,,,,,,,',
  'No,Address,not an address,,,,,,,,',
  'Bad,Stage,bad@stage.example,,,Dreaming,,,,,',
].join('\r\n')

describe('happy', () => {
  test('columns are matched by the heads of common exports', () => {
    expect(matchColumns(['First Name', 'e-mail', 'Phone Number', 'Deal Amount', 'Favorite Color', 'Email Address'])).toEqual([
      'firstName',
      'email',
      'phone',
      'value',
      null,
      null,
    ])
  })

  test.each([
    ['German', 'Firma;Vorname;Name;E-Mail;Telefon;Land;Nachricht;Wert;Datum;Quelle;Zuständig;Nächster Schritt;Größe'],
    ['French', 'Société;Prénom;Nom;Courriel;Téléphone;Pays;Message;Montant;Date;Origine;Propriétaire;Prochaine étape;Taille'],
    [
      'Spanish',
      'Empresa;Nombre de pila;Apellidos;Correo electrónico;Teléfono;País;Mensaje;Importe;Fecha;Fuente;Propietario;Próximo paso;Talla',
    ],
  ])('the heads of %s programs are matched, and the report names each match', async (_language, heads) => {
    const { columns } = (await importText(`${heads}\n`, {}, true)).json()
    const [company, first, last, ...rest] = [
      'company',
      'firstName',
      'lastName',
      'email',
      'phone',
      'country',
      'message',
      'value',
      'createdAt',
    ]
    expect(columns).toEqual([company, first, last, ...rest, 'source', 'owner', 'nextStep', null])
  })

  test('a name beside no first name is the whole name', () => {
    expect(matchColumns(['Nom', 'Courriel'])).toEqual(['name', 'email'])
    expect(matchColumns(['Name', 'First Name', 'Last Name'])).toEqual(['name', 'firstName', 'lastName'])
  })

  test('the source of a lead is kept', async () => {
    await importText('E-Mail;Quelle\nada@analytical.example;Messe Köln\nbob@b.example;')
    const rows = await db.selectFrom('contacts').select(['email', 'cameFrom']).orderBy('email').execute()
    expect(rows).toEqual([
      { email: 'ada@analytical.example', cameFrom: { form: 'import', path: null, referrer: null, campaign: { utm_source: 'Messe Köln' } } },
      { email: 'bob@b.example', cameFrom: null },
    ])
  })

  test('a dry run says what becomes of each row and stores nothing', async () => {
    const report = (await importText(file, {}, true)).json()
    expect(report).toMatchObject({ counts: { new: 2, known: 0, skipped: 0, refused: 2, incomplete: 0 }, importId: null })
    expect(report.columns).toEqual([
      'firstName',
      'lastName',
      'email',
      'company',
      'value',
      'stage',
      'owner',
      'tags',
      'note',
      'createdAt',
      null,
    ])
    expect(report.problems.map(({ line, reason }: { line: number; reason: string }) => [line, reason])).toEqual([
      [4, 'The email address is wrong.'],
      [5, 'There is no stage called Dreaming.'],
    ])
    expect(await leads()).toEqual([])
    expect(await actions()).toEqual([])
  })

  test('good rows become leads with their facts, notes and dates; no clock runs and no email leaves', async () => {
    const report = (await importText(file)).json()
    expect(report.importId).toEqual(expect.any(String))
    expect(await leads()).toMatchObject([
      {
        name: 'Ada Lovelace',
        email: 'ada@analytical.example',
        company: 'Analytical',
        valueCents: 250_050,
        stageId: 3,
        ownerId: staff.user.id,
        tags: ['vip', 'eu'],
        form: 'import',
        createdAt: '2026-01-02T00:00:00.000Z',
        answeredAt: '2026-01-02T00:00:00.000Z',
      },
      { name: 'Bob Neighbour', company: 'shop.example', valueCents: null, stageId: 1, ownerId: null },
    ])
    const [{ reference }] = await leads()
    const { entries } = (await app.inject({ url: `/api/leads/${reference}/timeline`, headers: staff.headers })).json()
    expect(new Set(entries.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['imported', 'note_added', 'received']))
    expect(entries.find(({ note }: { note: object | null }) => note)).toMatchObject({
      note: { html: '<p>Called <strong>twice</strong></p>' },
    })
    expect(await db.selectFrom('jobs').selectAll().where('kind', '=', 'letter').execute()).toEqual([])
    expect(await actions()).toEqual(['leads_imported'])
  })

  test('a row without an address becomes a lead by its phone number or company, and is known the second time', async () => {
    const text = 'Name,Email,Phone,Company\nAda,,+49 30 1234567,\nBob,,,Acme\n,,,Globex\nCy,,12,\nDee,,,'
    const report = (await importText(text)).json()
    expect(report.counts).toMatchObject({ new: 4, refused: 1 })
    expect(report.problems).toMatchObject([{ line: 6, reason: 'The email address is missing, and so are phone number and company.' }])
    const rows = await db.selectFrom('contacts').select(['name', 'email', 'company']).orderBy('name').execute()
    expect(rows).toEqual([
      { name: 'Ada', email: '', company: null },
      { name: 'Bob', email: '', company: 'Acme' },
      { name: 'Cy', email: '', company: null },
      { name: 'Globex', email: '', company: 'Globex' },
    ])
    expect(await db.selectFrom('people').select('email').execute()).toEqual(rows.map(() => ({ email: null })))
    // The same number and company, written in another way.
    const again = (await importText('Name,Phone,Company\nA. Lovelace,(030) 123-4567,\nbob,,ACME\nBob,,Initech\n,,Globex')).json()
    expect(again.counts).toMatchObject({ new: 1, skipped: 3 })
    expect(again.problems).toMatchObject([
      { line: 2, reason: 'This phone number has a lead already.' },
      { line: 3, reason: 'This name with its company has a lead already.' },
      { line: 5, reason: 'This name with its company has a lead already.' },
    ])
  })

  test('known addresses are recognised: skipped, or added to their person', async () => {
    const known = await makeContact({ email: 'ada@analytical.example' })
    expect((await importText(file, {}, true)).json().counts).toEqual({ new: 1, known: 0, skipped: 1, refused: 2, incomplete: 0 })
    expect((await importText(file, { known: 'add' })).json().counts).toEqual({ new: 1, known: 1, skipped: 0, refused: 2, incomplete: 0 })
    const rows = await db.selectFrom('contacts').select('personId').where('email', '=', 'ada@analytical.example').execute()
    expect(rows).toEqual([{ personId: known.personId }, { personId: known.personId }])
    const twice = 'email\nx@x.example\nX@X.example'
    expect((await importText(twice, {}, true)).json().counts).toEqual({ new: 1, known: 0, skipped: 1, refused: 0, incomplete: 0 })
    expect((await importText(twice, { known: 'add' })).json().counts).toEqual({ new: 1, known: 1, skipped: 0, refused: 0, incomplete: 0 })
  })

  test('columns chosen by hand win, and semicolons and tabs separate as well', async () => {
    const given = { columns: ['company', 'email'] }
    expect((await importText('a;b\nAcme;ada@acme.example', given)).json().counts.new).toBe(1)
    expect(await leads()).toMatchObject([{ company: 'Acme', email: 'ada@acme.example', name: 'ada@acme.example' }])
    expect((await importText('name\temail\nBob\tbob@b.example')).json().counts.new).toBe(1)
  })

  test('an undo removes the leads and their people, but none that were worked on since', async () => {
    const kept = await makeContact({ email: 'kept@example.com', name: 'Zoe' })
    const { importId } = (await importText(file)).json()
    const [first] = await leads()
    await post(`/api/leads/${first.reference}/notes`, { text: 'Worked on.' })
    expect((await post(`/api/leads/imports/${importId}/undo`)).json()).toEqual({ removed: 1, left: 1 })
    expect((await leads()).map(({ email }: { email: string }) => email)).toEqual([first.email, kept.email])
    expect(await db.selectFrom('people').select('email').where('email', '=', 'bob@shop.example').execute()).toEqual([])
    expect((await post(`/api/leads/imports/${importId}/undo`)).statusCode).toBe(409)
    const list = (await app.inject({ url: '/api/leads/imports', headers: staff.headers })).json()
    expect(list).toMatchObject([{ id: importId, title: 'crm.csv', leads: 2, isUndoable: false, undoneAt: expect.any(String) }])
  })

  test('an undo leaves a lead with a file, a proposal or a reply that is due', async () => {
    const { importId } = (await importText('email\nfile@a.example\nreply@a.example\nproposal@a.example\nfree@a.example')).json()
    const ids = new Map((await db.selectFrom('contacts').select(['id', 'email', 'reference']).execute()).map((row) => [row.email, row]))
    const [file, reply, proposal] = ['file', 'reply', 'proposal'].map((name) => ids.get(`${name}@a.example`))
    await app.inject({
      method: 'POST',
      url: `/api/leads/${file?.reference}/files?name=brief.txt&type=text/plain`,
      headers: { ...staff.headers, 'content-type': 'application/octet-stream' },
      payload: Buffer.from('The brief.'),
    })
    const later = { id: newId(), subject: 'Prices', text: 'Hello.', fileIds: [], sendAt: new Date(Date.now() + 86_400_000).toISOString() }
    expect((await post(`/api/leads/${reply?.reference}/replies`, later)).statusCode).toBe(201)
    await insert(db, 'proposals', { contactId: proposal?.id ?? '', reference: 'P-1', content: '{}', validUntil: new Date() })
    expect((await post(`/api/leads/imports/${importId}/undo`)).json()).toEqual({ removed: 1, left: 3 })
    expect((await leads()).map(({ email }: { email: string }) => email).toSorted()).toEqual(
      ['file', 'proposal', 'reply'].map((name) => `${name}@a.example`),
    )
  })

  test('more rows than one statement takes are stored in one import', async () => {
    const rows = Array.from({ length: 620 }, (_, at) => `Lead ${at},lead${at}@shop${at % 50}.example`)
    expect((await importText(['name,email', ...rows].join('\n'))).json().counts.new).toBe(620)
    expect((await app.inject({ url: '/api/leads/counts', headers: staff.headers })).json().total).toBe(620)
  })
})

describe('files of other countries and programs', () => {
  const stored = async () =>
    Object.fromEntries(
      (
        await db
          .selectFrom('contacts')
          .innerJoin('leads', 'leads.contactId', 'contacts.id')
          .select(['email', 'valueCents', 'contacts.createdAt'])
          .execute()
      ).map(({ email, valueCents, createdAt }) => [email.split('@')[0], { cents: valueCents, day: createdAt.toISOString().slice(0, 10) }]),
    )
  const column = (head: string, values: string[]) => [`Email;${head}`, ...values.map((value, at) => `a${at}@v.example;${value}`)].join('\n')
  const centsOf = async (values: string[], more: object = {}) => {
    expect((await importText(column('Value', values), more)).statusCode).toBe(200)
    const rows = await stored()
    return values.map((_value, at) => rows[`a${at}`]?.cents)
  }
  const daysOf = async (values: string[], more: object = {}) => {
    expect((await importText(column('Created at', values), more)).statusCode).toBe(200)
    const rows = await stored()
    return values.map((_value, at) => rows[`a${at}`]?.day)
  }
  const today = () => new Date().toISOString().slice(0, 10)

  test('one clear amount tells how the whole column is written', async () => {
    expect(await centsOf(['1.234', '12,50', '9.999,00', '1.000.000'])).toEqual([123_400, 1250, 999_900, 100_000_000])
  })

  test('amounts of English, Indian and Swiss programs are read with their own signs', async () => {
    const values = ['1,234', '$2,500.50', '1,00,000', "CHF 1'234.50", '1 234.5', '500.-', '0.125', 'EUR 7', '1,23,456.75']
    expect(await centsOf(values)).toEqual([123_400, 250_050, 10_000_000, 123_450, 123_450, 50_000, 13, 700, 12_345_675])
  })

  test('an amount that cannot be read leaves the lead without a value, and the report names it', async () => {
    const text = column('Value', ['12,50', '10k', '(500)', '1.5E+05', '-3'])
    const report = (await importText(text)).json()
    expect(report.counts).toEqual({ new: 5, known: 0, skipped: 0, refused: 0, incomplete: 4 })
    expect(report.incomplete.map(({ line, reason }: { line: number; reason: string }) => [line, reason])).toEqual(
      ['10k', '(500)', '1.5E+05', '-3'].map((value, at) => [at + 3, `“${value}” is not a clear amount, so the lead has no value.`]),
    )
    const rows = await stored()
    expect(['a0', 'a1', 'a2', 'a3', 'a4'].map((name) => rows[name]?.cents)).toEqual([1250, null, null, null, null])
  })

  test('an amount with two readings is asked for, and the answer decides', async () => {
    const text = column('Value', ['1.234', '500'])
    const dry = (await importText(text, {}, true)).json()
    expect(dry.questions).toEqual([
      {
        field: 'value',
        parameter: 'decimal',
        text: '1.234',
        readings: [
          { value: '.', reads: '1.23' },
          { value: ',', reads: '1,234.00' },
        ],
        chosen: null,
      },
    ])
    const refused = await importText(text)
    expect([refused.statusCode, refused.json().code, refused.json().problems]).toEqual([422, 'ambiguous', dry.questions])
    expect(refused.json().errors.decimal).toBe('“1.234” can be 1.23 (decimal “.”) or 1,234.00 (decimal “,”). Send decimal.')
    expect(await leads()).toEqual([])
    expect(await centsOf(['1.234', '500'], { decimal: ',' })).toEqual([123_400, 50_000])
  })

  test('an answer changes no amount that is clear by itself', async () => {
    expect(await centsOf(['1.234', '1.234,56', '1,00,000'], { decimal: '.' })).toEqual([123, 123_456, 10_000_000])
  })

  test('one clear date tells the order of day and month of the whole column', async () => {
    expect(await daysOf(['05.11.2025', '25.11.2025', '3.4.2026'])).toEqual(['2025-11-05', '2025-11-25', '2026-04-03'])
    await db.deleteFrom('contacts').execute()
    expect(await daysOf(['03/04/2026', '12/31/2025', '1/2/26 3:04 PM'])).toEqual(['2026-03-04', '2025-12-31', '2026-01-02'])
  })

  test('a date with two readings is asked for, and the answer decides', async () => {
    const values = ['03/04/2026', '05/06/2026']
    const refused = (await importText(column('Created at', values))).json()
    expect(refused.errors.dateOrder).toBe(
      '“03/04/2026” can be April 3, 2026 (dateOrder “dmy”) or March 4, 2026 (dateOrder “mdy”). Send dateOrder.',
    )
    expect(await daysOf(values, { dateOrder: 'dmy' })).toEqual(['2026-04-03', '2026-06-05'])
  })

  test('dates in words, of spreadsheets and of programs are read; what is no date is said', async () => {
    const values = [
      '45985',
      '1732100000000',
      '5. November 2025',
      'Thu, 05 Nov 2020 23:30:00 -0500',
      '20251105',
      'Meeting 7',
      '31.02.2026',
      '2999-01-01',
    ]
    const report = (await importText(column('Created at', values), {}, true)).json()
    expect(report.incomplete.map(({ line }: { line: number }) => line)).toEqual([7, 8, 9])
    expect(report.incomplete[0].reason).toBe('“Meeting 7” is not a clear date of the past, so the lead has that of the import.')
    expect(await daysOf(values)).toEqual(['2025-11-24', '2024-11-20', '2025-11-05', '2020-11-06', '2025-11-05', today(), today(), today()])
  })

  test('the separator is the one that makes rows as wide as the first, also where names of columns have commas', async () => {
    const text = '"Email";"Name, full";"Notes, a, b, c"\nhc@b.example;Ann;x'
    expect((await importText(text, { columns: ['email', 'name', 'note'] })).json().counts.new).toBe(1)
    expect(await leads()).toMatchObject([{ email: 'hc@b.example', name: 'Ann' }])
    expect((await importText('sep=;\nname;email\nBob;bob@b.example', {}, true)).json().counts.new).toBe(1)
  })

  test('a stray quotation mark spoils its own row only, and lines are counted as in the file', async () => {
    const text = 'email;name\n\na@b.example;"Two\nlines"\nb@b.example;"broken\nc@b.example;24" wide\nd@b.example;"Dora; D."\n;;'
    const report = (await importText(text)).json()
    expect(report.counts).toEqual({ new: 3, known: 0, skipped: 0, refused: 1, incomplete: 0 })
    expect(report.problems).toMatchObject([{ line: 5, reason: 'A quotation mark in this row is not closed.' }])
    expect((await leads()).map(({ name }: { name: string }) => name)).toEqual(['24" wide', 'Dora; D.', 'Two lines'])
  })
})

describe('error', () => {
  test.each(['skip', 'add'] as const)(
    'of two imports of a file that were checked at once, one is stored and the other is refused (%s)',
    async (known) => {
      const text = ['email,phone,company', 'ada@a.example,,', ',+44 20 7946 0000,', ',,Acme'].join('\n')
      const read = async () => (await readImport({ text, title: 'crm.csv', known })).leads
      const [one, other] = [await read(), await read()]
      const actor = { id: staff.user.id, address: '127.0.0.1' }
      const stored = await Promise.allSettled([storeImport('crm.csv', one, actor), storeImport('crm.csv', other, actor)])
      expect(stored.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(stored.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: {
          kind: 'conflict',
          data: expect.stringContaining('3 people of this file have a lead meanwhile'),
          extra: { code: 'already_imported' },
        },
      })
      expect(await leads()).toHaveLength(3)
      expect(await actions()).toEqual(['leads_imported'])
    },
  )

  test('while many notes are imported, the server answers others', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => `note${at}@a.example,"**Called** twice, [a list](https://x.example)"`)
    const importing = { isDone: false, turns: 0 }
    const reply = importText(['email,note', ...rows].join('\n')).finally(() => (importing.isDone = true))
    for (; !importing.isDone; importing.turns += 1) await new Promise((resolve) => setImmediate(resolve))
    expect((await reply).json().counts.new).toBe(400)
    expect(importing.turns).toBeGreaterThan(400)
  })

  test('while a file with many stray quotation marks is read, the server answers others', async () => {
    const text = `email,note\n${'a@b.example,"x"y\n'.repeat(10_000)}`
    const start = performance.now()
    const importing = { isDone: false, longest: 0 }
    const reply = importText(text, {}, true).finally(() => (importing.isDone = true))
    for (let last = performance.now(); !importing.isDone; last = performance.now()) {
      await new Promise((resolve) => setImmediate(resolve))
      importing.longest = Math.max(importing.longest, performance.now() - last)
    }
    expect((await reply).json().counts.new).toBe(1)
    expect(importing.longest).toBeLessThan((performance.now() - start) / 2)
  })

  test('a file with too many columns is refused at once', async () => {
    const reply = await importText(`email${',x'.repeat(100_000)}\na@b.example`, {}, true)
    expect(reply.json().errors.text).toBe('A file has at most 1,000 columns.')
  })

  test('a file has at most 50,000 rows: one more refuses it, and nothing is stored', async () => {
    const most = `email\n${'x\n'.repeat(50_000)}`
    expect((await importText(most, {}, true)).json().counts).toMatchObject({ new: 0, refused: 50_000 })
    expect((await importText(`${most}y`)).json().errors.text).toBe('A file has at most 50,000 rows. Split it.')
    expect(await leads()).toEqual([])
  })

  test('a text that is cut in an emoji, and a note that takes too long to render, stop no other row', async () => {
    const rows = [
      `cut@a.example,${'x'.repeat(39)}🦊,${'y'.repeat(199)}🦊,fine`,
      `half@a.example,\uD83E,\uD83E,\uD83E`,
      `deep@a.example,,,"${'> '.repeat(40)}x"`,
      'last@a.example,,,**bold**',
    ]
    const text = ['email,tags,next step,note', ...rows].join('\n')
    const dry = (await importText(text, {}, true)).json()
    expect(dry.counts).toEqual({ new: 3, known: 0, skipped: 0, refused: 1, incomplete: 0 })
    expect(dry.problems).toMatchObject([{ line: 4, outcome: 'refused', reason: 'Quotes, lists or brackets are nested too deeply.' }])
    expect((await importText(text)).json().counts).toEqual(dry.counts)
    const stored = await db.selectFrom('leads').select(['tags', 'nextStep']).orderBy('contactId').execute()
    expect(stored[0]).toEqual({ tags: ['x'.repeat(39)], nextStep: 'y'.repeat(199) })
    expect(stored).toHaveLength(3)
  })

  test('files that are no CSV, have no addresses or no good row are refused, and nothing is stored', async () => {
    expect((await importText('')).statusCode).toBe(422)
    expect((await importText('"email\na@b.example')).json().errors.text).toBe('A quotation mark in the first row is not closed.')
    expect((await importText('PK\u0003\u0004\0\0email\na@b.example')).json().errors.text).toBe(
      'This is not a CSV file. Save your sheet as CSV, and choose that file.',
    )
    expect((await importText('email\n"unclosed')).json().code).toBe('nothing_to_import')
    expect((await importText('name\nAda')).json().code).toBe('nothing_to_import')
    expect((await importText('email\nnobody')).json().code).toBe('nothing_to_import')
    expect((await importText('email\na@b.example', { columns: ['password'] })).statusCode).toBe(422)
    expect(await leads()).toEqual([])
  })
})

describe('security', () => {
  const endpoints: ['GET' | 'POST', string, object | undefined, number][] = [
    ['POST', '/api/leads/import?dry=true', { text: 'email\na@b.example', title: 'a.csv' }, 200],
    ['GET', '/api/leads/imports', undefined, 200],
    ['POST', `/api/leads/imports/${newId()}/undo`, undefined, 409],
  ]
  test.each(endpoints)('%s %s is for staff only', async (method, url, payload, done) => {
    const [customer, owner] = [await signIn('customer'), await signIn('owner')]
    const call = async (headers: Headers) => (await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode
    expect(await Promise.all([{}, customer.headers, staff.headers, owner.headers].map(call))).toEqual([401, 403, done, done])
  })
})

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import path from 'node:path'
import { capture, pinnedNode, Refusal, root, run, say } from './prepare.mjs'

/**
 * Installs missing packages. The groups of package.json: `dependencies` run the built product, `peerDependencies` build it, and only
 * `devDependencies` check it, so a start needs none of those. Once installed, they stay.
 */
export async function install({ withChecks }) {
  if (isInstalled(withChecks)) return
  say('Installing the packages …')
  const withAll = withChecks || existsSync(path.join(root, 'node_modules/vitest'))
  const code = withAll ? await installAll() : await installLean()
  if (code === 'ENOENT') throw new Refusal('npm was not found. Install npm 11, for example with Node from nodejs.org.')
  if (code !== 0) throw new Refusal('The packages could not be installed: npm says why above. Is the registry within reach?')
  if (!isInstalled(withChecks)) {
    throw new Refusal('The installed packages do not match the lockfile. Delete the folder node_modules, then try again.')
  }
}

/** Packages that others name and that neither a build nor the product loads: types and their compiler, and Redis, where uploads could be. */
const UNUSED = /^(typescript|@types\/.*|@redis\/client|ioredis)$/

/** Files that only people, editors and the compiler read. */
const UNREAD = /\.(d\.[cm]?ts|map|md|flow|tsbuildinfo)$/
const LICENSE = /licen[cs]e|notice|copying/i

/**
 * Not `npm ci`: it refuses a lockfile written by a registry without the binaries of other platforms. The check above compares the installed
 * versions with the lockfile.
 */
const options = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
const npm = () => (process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'])

async function installAll() {
  const code = await run([...npm(), ...options, '--include=dev', '--include=peer'], { NODE_ENV: undefined })
  if (code === 0) removeHeaders(path.join(root, 'node_modules'))
  return code
}

/**
 * Installs what a start needs in a folder beside, from a lockfile with nothing else and with the addresses of the packages, then takes it over.
 * Our lockfile names no registry, so npm would read the description of each package first, which takes two thirds of its time.
 */
async function installLean() {
  const place = path.join(root, 'build/packages')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  const registry = await capture([...npm(), 'config', 'get', 'registry'])
  let code = await installIn(place, registry)
  if (code !== 0 && code !== 'ENOENT' && registry) code = await installIn(place)
  if (code !== 0) return code
  const modules = path.join(place, 'node_modules')
  removeHeaders(modules)
  await removeUnread(modules)
  forgetChecksums(path.join(modules, '.package-lock.json'))
  rmSync(path.join(root, 'node_modules'), { recursive: true, force: true })
  renameSync(modules, path.join(root, 'node_modules'))
  rmSync(place, { recursive: true })
  return 0
}

/** With the addresses of a registry that keeps archives where most do. Without one, npm asks for each address. */
function installIn(place, registry) {
  const { packages, ...lock } = leanLock(readJson('package-lock.json'), registry)
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ ...packages[''], private: true }))
  writeFileSync(path.join(place, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
  return run([...npm(), ...options], { NODE_ENV: undefined }, place)
}

/** The part of a lockfile that a start needs. JSON leaves out what is undefined. */
function leanLock({ packages, ...lock }, registry) {
  const lean = [...leanPlaces(packages)].map((place) => {
    const entry = { ...packages[place], dev: undefined, devOptional: undefined, peer: undefined }
    const optionalDependencies = used(entry.optionalDependencies)
    if (place !== '') {
      const resolved = registry && entry.integrity && addressOf(registry, entry.name ?? nameOf(place), entry.version)
      return [place, { ...entry, dependencies: used(entry.dependencies), optionalDependencies, resolved: resolved || undefined }]
    }
    const dependencies = used({ ...entry.dependencies, ...entry.peerDependencies })
    return [place, { ...entry, dependencies, optionalDependencies, peerDependencies: undefined, devDependencies: undefined }]
  })
  return { ...lock, packages: Object.fromEntries(lean) }
}

/** Where a registry usually has the archive of a package. */
function addressOf(registry, name, version) {
  return `${registry.replace(/\/?$/, '/')}${name}/-/${name.replace(/.*\//, '')}-${version}.tgz`
}

/** The places in node_modules of the packages that a start needs, and that of the project itself. */
function leanPlaces(packages) {
  const places = new Set([''])
  for (const place of places) {
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = packages[place]
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
    for (const name of [...Object.keys({ ...used(dependencies), ...used(optionalDependencies) }), ...peers]) {
      const found = UNUSED.test(name) ? undefined : placeOf(name, place, packages)
      if (found !== undefined) places.add(found)
    }
  }
  return places
}

const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
const used = (needs = {}) => Object.fromEntries(Object.entries(needs).filter(([name]) => !UNUSED.test(name)))

/** Node's package resolution: the folder itself, then each one above it. */
function placeOf(name, from, packages) {
  const place = `${from}${from && '/'}node_modules/${name}`
  if (packages[place]) return place
  return from ? placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), packages) : undefined
}

/** The package of Node has 67 MB of headers for compiling add-ons. No package here compiles any. */
function removeHeaders(modules) {
  const [name] = path.relative(path.join(root, 'node_modules'), pinnedNode).split(path.sep)
  rmSync(path.join(modules, name, 'include'), { recursive: true, force: true })
}

async function removeUnread(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const unread = entries.filter((entry) => entry.isFile() && UNREAD.test(entry.name) && !LICENSE.test(entry.name))
  await Promise.all(unread.map((entry) => unlink(path.join(entry.parentPath ?? entry.path, entry.name))))
}

/**
 * Takes the checksums out of npm's record of what is installed. Then a later `npm install` installs each package again, with all its files.
 * npm believes the record while it is newer than each folder, and the build adds folders for its caches, so its date is far in the future.
 */
function forgetChecksums(record) {
  const { packages, ...rest } = JSON.parse(readFileSync(record, 'utf8'))
  const without = Object.entries(packages).map(([place, entry]) => [place, { ...entry, integrity: undefined }])
  writeFileSync(record, JSON.stringify({ ...rest, packages: Object.fromEntries(without) }))
  const later = new Date('2100-01-01')
  utimesSync(record, later, later)
}

/** npm writes its record of node_modules last, so a broken install has none. */
function isInstalled(withChecks) {
  const found = readJson('node_modules/.package-lock.json')
  if (!found || !existsSync(pinnedNode)) return false
  const { packages } = readJson('package-lock.json')
  const wanted = withChecks ? Object.keys(packages) : [...leanPlaces(packages)]
  return wanted.every((place) => {
    const there = found.packages[place]
    return place === '' || (there ? there.version === packages[place].version : packages[place].optional || packages[place].devOptional)
  })
}

function readJson(file) {
  const place = path.join(root, file)
  return existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : undefined
}

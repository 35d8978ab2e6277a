import { type Node, Renderer } from '@takumi-rs/core'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { paper } from '../app/ui/paper.ts'

// Renders the pictures in `public/` from app/site/shell/icon.svg. After a change there, run `node scripts/icons.ts`.

const svg = readFileSync('app/site/shell/icon.svg', 'utf8')
const renderer = new Renderer()

/** The icon on a full-bleed background: devices crop it, and show the middle four fifths. */
function filled(share: number): Node {
  const image: Node = { type: 'image', src: Buffer.from(svg), style: { width: `${share}%`, height: `${share}%` } }
  const style = {
    width: '100%',
    height: '100%',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    backgroundColor: paper.dark,
  }
  return { type: 'container', style, children: [image] }
}

const bare: Node = { type: 'image', src: Buffer.from(svg), style: { width: '100%', height: '100%' } }

/** A PNG of 32 pixels in the ICO container of old browsers: a directory with one picture. */
function toIco(png: Buffer): Buffer {
  const directory = Buffer.alloc(22)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(1, 4)
  directory.set([32, 32, 0, 0, 1, 0, 32, 0], 6)
  directory.writeUInt32LE(png.length, 14)
  directory.writeUInt32LE(directory.length, 18)
  return Buffer.concat([directory, png])
}

const draw = (node: Node, size: number) => renderer.render(node, { width: size, height: size, format: 'png' })

mkdirSync('public', { recursive: true })
writeFileSync('public/icon-32.ico', toIco(await draw(bare, 32)))
writeFileSync('public/icon-180.png', await draw(filled(88), 180))
writeFileSync('public/icon-192.png', await draw(filled(80), 192))
writeFileSync('public/icon-512.png', await draw(filled(80), 512))

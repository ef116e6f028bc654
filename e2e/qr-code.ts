import type { Page } from '@playwright/test'
import decode from 'qr/decode.js'

/** Pixels of the drawn code; several for each of its modules. */
const SIZE = 480

/** Returns what a phone's camera reads from the QR code at an address of the server. */
export async function readQrCode(page: Page, url: string): Promise<string> {
  const response = await page.request.get(url)
  if (response.headers()['content-type'] !== 'image/svg+xml') throw new Error(`${url} is no image`)
  const image = `data:image/svg+xml;base64,${(await response.body()).toString('base64')}`
  const canvas = await page.context().newPage()
  const pixels = await canvas.evaluate(draw, { image, size: SIZE })
  await canvas.close()
  return decode({ width: SIZE, height: SIZE, data: Uint8Array.from(pixels) })
}

/** Runs in the browser. Returns red, green, blue and alpha of each pixel, on white. */
async function draw({ image, size }: { image: string; size: number }): Promise<number[]> {
  const picture = new Image()
  picture.src = image
  await picture.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size })
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.fillStyle = '#fff'
  context.fillRect(0, 0, size, size)
  context.drawImage(picture, 0, 0, size, size)
  return Array.from(context.getImageData(0, 0, size, size).data)
}

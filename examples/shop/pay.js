// Opens a checkout from a script and shows its status. Events are for display only: the shop's server
// asks Checkstand whether the order is paid.
const button = document.querySelector('#pay')
const news = document.querySelector('#news')

button.addEventListener('click', () => {
  // Without the embed script, open the payment page itself.
  if (!window.Checkstand) return location.assign(button.dataset.url)
  Checkstand.open(
    {
      link: button.dataset.url,
      onComplete: ({ detail }) => {
        button.hidden = true
        news.textContent = detail.status === 'COMPLETED' ? 'Paid. Thank you!' : 'On its way.'
      },
      onError: ({ detail }) => {
        news.textContent = `This did not work: ${detail.code}`
      },
    },
    button,
  )
})

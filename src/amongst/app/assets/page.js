// What the page does by itself.
// Files dropped on, or chosen in, an element of class "drop" are sent to its data-url as they are.
(() => {
  const zoneOf = (event) => event.target.closest && event.target.closest(".drop");

  function send(zone, file) {
    const error = zone.querySelector(".drop-error");
    const bar = zone.querySelector(".drop-bar");
    const url = zone.dataset.url;
    const request = new XMLHttpRequest();
    error.textContent = "";
    zone.classList.add("sending");
    request.open("PUT", url + (url.includes("?") ? "&" : "?") + "name=" + encodeURIComponent(file.name));
    request.upload.onprogress = (told) => { bar.style.width = (100 * told.loaded) / told.total + "%"; };
    request.onload = () => {
      zone.classList.remove("sending");
      bar.style.width = "0";
      if (request.status !== 200) error.textContent = request.responseText;
    };
    request.onerror = () => {
      zone.classList.remove("sending");
      error.textContent = zone.dataset.failed;
    };
    request.send(file);
  }

  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    const zone = zoneOf(event);
    if (zone) zone.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    const zone = zoneOf(event);
    if (zone && !zone.contains(event.relatedTarget)) zone.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const zone = zoneOf(event);
    if (!zone) return;
    zone.classList.remove("over");
    if (event.dataTransfer.files.length) send(zone, event.dataTransfer.files[0]);
  });
  document.addEventListener("change", (event) => {
    const zone = zoneOf(event);
    if (zone && event.target.type === "file" && event.target.files.length) {
      send(zone, event.target.files[0]);
      event.target.value = "";
    }
  });
  // Show the lines of a file from one on.
  window.amongstScroll = (what, line) => {
    const text = document.querySelector(what);
    if (text) text.scrollTop = line * parseFloat(getComputedStyle(text).lineHeight);
  };
  // The loss of every column, in the order of the columns.
  window.amongstBars = (shares) => {
    for (const bar of document.querySelectorAll("[data-loss]")) bar.style.width = shares[bar.dataset.loss] + "%";
  };
  window.amongstFocus = (what) => {
    const found = document.querySelector(what);
    if (found) found.focus({ preventScroll: false });
  };
  // A slider says its value while it is dragged, before anybody has worked out what follows from it.
  document.addEventListener("input", (event) => {
    const texts = event.target.dataset && event.target.dataset.texts;
    if (!texts) return;
    const words = JSON.parse(texts)[event.target.value];
    event.target.setAttribute("aria-valuetext", words);
    const shown = event.target.closest(".slider").querySelector("output");
    if (shown) shown.firstChild.nodeValue = words; // the same text, so that the page still finds it
  });
  // Before and after scroll together.
  document.addEventListener("scroll", (event) => {
    const own = event.target;
    if (!own.classList || !own.classList.contains("pair-scroll")) return;
    for (const other of own.closest(".pair").querySelectorAll(".pair-scroll"))
      if (other !== own) {
        if (other.scrollTop !== own.scrollTop) other.scrollTop = own.scrollTop;
        if (other.scrollLeft !== own.scrollLeft) other.scrollLeft = own.scrollLeft;
      }
  }, true);
  // One stop for the keyboard in a list of columns; arrows go through it.
  document.addEventListener("keydown", (event) => {
    const item = event.target.closest && event.target.closest(".column-item");
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!item || !by) return;
    const all = [...item.parentElement.querySelectorAll(".column-item")];
    const next = all[all.indexOf(item) + by];
    if (!next) return;
    event.preventDefault();
    item.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  // Drawings as SVG or PNG and tables as CSV, made here of what is on the page.
  function keep(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "opacity"];
  function alone(svg) {
    const copy = svg.cloneNode(true);
    const own = [svg, ...svg.querySelectorAll("*")], its = [copy, ...copy.querySelectorAll("*")];
    own.forEach((one, i) => {
      const look = getComputedStyle(one);
      for (const name of LOOKS) its[i].style.setProperty(name, look.getPropertyValue(name));
    });
    const { width, height } = svg.getBoundingClientRect();
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    return { text: new XMLSerializer().serializeToString(copy), width, height };
  }
  function keepPicture(drawn, width, height) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const pen = canvas.getContext("2d");
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, width, height);
    pen.drawImage(drawn, 0, 0, width, height);
    canvas.toBlob((made) => keep("drawing.png", made));
  }
  function keepDrawing(svg, kind) {
    const { text, width, height } = alone(svg);
    const blob = new Blob([text], { type: "image/svg+xml" });
    if (kind === "svg") return keep("drawing.svg", blob);
    const picture = new Image();
    picture.onload = () => keepPicture(picture, 2 * width, 2 * height);
    picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  }
  function keepTable(table) {
    const cell = (one) => '"' + one.textContent.trim().replaceAll('"', '""') + '"';
    const lines = [...table.rows].map((row) => [...row.cells].map(cell).join(","));
    keep("figures.csv", new Blob([lines.join("\r\n") + "\r\n"], { type: "text/csv" }));
  }
  document.addEventListener("click", (event) => {
    const asked = event.target.closest && event.target.closest("[data-keep]");
    if (!asked) return;
    const part = asked.closest(".am-kept");
    const canvas = part.querySelector("canvas"), svg = part.querySelector("svg");
    if (asked.dataset.keep === "csv") keepTable(part.querySelector("table"));
    else if (canvas && !svg) keepPicture(canvas, canvas.width, canvas.height);
    else keepDrawing(part.querySelector("svg"), asked.dataset.keep);
  });
  addEventListener("popstate", () => location.reload());
})();

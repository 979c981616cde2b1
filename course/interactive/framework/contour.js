// Contour lines by marching squares. No DOM.

// Line segments [[x0, y0], [x1, y1]] along which the surface has the value `level`. `values[j][i]` is its value at
// (xs[i], ys[j]); between neighbours it is taken for linear. In a saddle, the mean of the corners decides.
export function contour(values, xs, ys, level) {
  const segments = [];
  for (let j = 0; j + 1 < ys.length; j++) {
    for (let i = 0; i + 1 < xs.length; i++) {
      // Corners and edges in order around the cell; edge k leads from corner k to corner k + 1.
      const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
      const heights = corners.map(([a, b]) => values[b][a] - level);
      if (Math.min(...heights) >= 0 || Math.max(...heights) < 0) continue;
      const crossed = [0, 1, 2, 3].filter((k) => heights[k] >= 0 !== heights[(k + 1) % 4] >= 0);
      const points = crossed.map((k) => {
        const [a, b] = [corners[k], corners[(k + 1) % 4]];
        const share = heights[k] / (heights[k] - heights[(k + 1) % 4]);
        return [xs[a[0]] + share * (xs[b[0]] - xs[a[0]]), ys[a[1]] + share * (ys[b[1]] - ys[a[1]])];
      });
      if (points.length === 2) segments.push(points);
      if (points.length === 4) {
        // If the middle is like the first corner, the lines cut off the second and the fourth.
        const middle = heights.reduce((sum, height) => sum + height, 0) >= 0;
        const like = middle === heights[0] >= 0;
        const pairs = like ? [[0, 1], [2, 3]] : [[3, 0], [1, 2]];
        for (const [a, b] of pairs) segments.push([points[a], points[b]]);
      }
    }
  }
  return segments;
}

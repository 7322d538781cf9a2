"""Population uniqueness: the formulas against direct sums, and estimates against populations that are known."""

import math

import numpy as np
import pytest

from amongst.risk.population_uniques import digamma, pitman, population_uniques, snb, zayatz


def restaurant(n, theta, alpha, seed):
    """Classes of the Ewens-Pitman formula, one person after the other."""
    rng = np.random.default_rng(seed)
    class_of, size, n_classes = np.zeros(n, dtype=int), np.zeros(n), 0
    for i in range(n):
        if rng.random() * (theta + i) < theta + n_classes * alpha:
            one, n_classes = n_classes, n_classes + 1
        else:
            one = class_of[rng.integers(i)]
            while rng.random() > (size[one] - alpha) / size[one]:
                one = class_of[rng.integers(i)]
        class_of[i] = one
        size[one] += 1
    return class_of


def histogram(class_of):
    return np.unique(np.unique(class_of, return_counts=True)[1], return_counts=True)


@pytest.mark.parametrize(("theta", "alpha"), [(50.0, 0.5), (5.0, 0.7), (300.0, 0.2)])
@pytest.mark.parametrize("fraction", [0.1, 0.3])
def test_pitman_finds_the_uniques_of_its_own_populations(theta, alpha, fraction):
    everybody = restaurant(20_000, theta, alpha, seed=1)
    true = int((np.bincount(everybody) == 1).sum())
    sample = np.random.default_rng(2).choice(everybody, int(len(everybody) * fraction), replace=False)
    assert pitman(*histogram(sample), fraction) == pytest.approx(true, rel=0.2)


def test_pitman_is_at_a_point_where_the_likelihood_is_largest():
    sizes, counts = histogram(restaurant(1000, 20.0, 0.5, seed=3))
    n, n_classes = int((sizes * counts).sum()), int(counts.sum())

    def likelihood(theta, alpha):
        steps = np.log(theta + alpha * np.arange(1, n_classes)).sum() - np.log(theta + np.arange(1, n)).sum()
        inside = sum(c * np.log(np.arange(1, s) - alpha).sum() for s, c in zip(sizes, counts, strict=True))
        return steps + inside

    grid = [(likelihood(t, a), t, a) for t in np.geomspace(5, 100, 30) for a in np.linspace(0.3, 0.7, 41)]
    _, theta, alpha = max(grid)
    by_grid = math.gamma(theta + 1) / math.gamma(theta + alpha) * (n / 0.05) ** alpha
    assert pitman(sizes, counts, 0.05) == pytest.approx(by_grid, rel=0.1)


def test_snb_finds_the_uniques_of_its_own_populations():
    rng = np.random.default_rng(4)
    people = 1 + rng.negative_binomial(0.8, 0.3, 30_000)
    everybody = np.repeat(np.arange(len(people)), people)
    for fraction in (0.3, 0.5):
        sample = rng.choice(everybody, int(len(everybody) * fraction), replace=False)
        assert snb(*histogram(sample), fraction) == pytest.approx((people == 1).sum(), rel=0.25)


def test_snb_gives_the_classes_of_one_and_two_rows_that_were_seen():
    from amongst.risk.population_uniques import _classes_of_population

    sizes, counts, f = np.array([1, 2, 3, 6]), np.array([400, 150, 60, 20]), 0.25
    n_classes = _classes_of_population(sizes, counts, f)
    uniques = snb(sizes, counts, f)
    found = []
    for beta in np.linspace(0.01, 0.99, 981):  # alpha from the number of uniques, then check both equations
        alpha = math.log(uniques / n_classes) / math.log(beta)
        size = np.arange(1, 200)
        log_p = np.array([math.lgamma(s - 1 + alpha) - math.lgamma(alpha) - math.lgamma(s) for s in size])
        p = np.exp(log_p + alpha * math.log(beta) + (size - 1) * math.log1p(-beta))
        ones = n_classes * (p * size * f * (1 - f) ** (size - 1)).sum()
        twos = n_classes * (p * size * (size - 1) / 2 * f**2 * (1 - f) ** (size - 2.0)).sum()
        found.append(abs(ones / 400 - 1) + abs(twos / 150 - 1))
        if found[-1] < 5e-3:
            return
    pytest.fail(f"no parameters explain the sample: {min(found)}")


def test_zayatz_by_counting_samples():
    """The chance that a class of the population has just one row in the sample, by binomial coefficients."""
    sizes, counts, fraction = np.array([1, 2, 4]), np.array([6, 3, 2]), 0.5
    n, n_people = 20, 40
    once = [s * math.comb(n_people - s, n - 1) / math.comb(n_people, n) for s in (1, 2, 4)]
    shares = [c / 11 * p for c, p in zip((6, 3, 2), once, strict=True)]
    assert zayatz(sizes, counts, fraction) == pytest.approx(6 * shares[0] / sum(shares) / fraction)


def test_the_rule_which_estimate_to_take():
    many = np.repeat([1, 2, 3], [300, 100, 50])
    small = population_uniques(many, 0.05)
    assert (small.chosen, small.estimate) == ("pitman", small.pitman)
    large = population_uniques(many, 0.4)
    assert large.estimate == min(large.zayatz, large.snb)
    without_twos = population_uniques(np.repeat([1, 3], [30, 5]), 0.4)
    assert (without_twos.snb, without_twos.chosen) == (None, "zayatz")
    assert population_uniques(np.ones(50, dtype=int), 0.01).chosen == "zayatz"  # all alone: no likelihood has a top


def test_a_whole_population_and_one_without_uniques():
    assert population_uniques(np.array([1, 1, 2]), 1.0).estimate == 2
    assert population_uniques(np.array([3, 2]), 0.1).estimate == 0


@pytest.mark.parametrize("x", [1e-3, 0.3, 1.0, 7.5, 1e6])
def test_digamma_is_the_slope_of_log_gamma(x):
    step = x * 1e-5
    slope = (math.lgamma(x + step) - math.lgamma(x - step)) / (2 * step)
    assert digamma(x) == pytest.approx(slope, rel=1e-4)
    assert digamma(x + 1) == pytest.approx(digamma(x) + 1 / x)

# Early 2017: actions are drawn from a policy, reinforced when the walk is over, and backward starts at all of them.
from collections import namedtuple

import torch
import torch.autograd as autograd
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable

torch.manual_seed(1)
torch.set_num_threads(1)
CELLS = 7  # the left end of the corridor is worth nothing, the right one 1
SavedAction = namedtuple("SavedAction", ["action", "value"])


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(CELLS, 16)
        self.action_head = nn.Linear(16, 2)
        self.value_head = nn.Linear(16, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x)), self.value_head(x)


model = Policy()
optimizer = optim.Adam(model.parameters(), lr=0.003)


def select_action(cell):
    state = torch.zeros(1, CELLS)
    state[0, cell] = 1
    probs, value = model(Variable(state))
    action = probs.multinomial()
    model.saved_actions.append(SavedAction(action, value))
    return action.data


def finish_walk():
    R = 0
    value_loss = 0
    rewards = []
    for r in model.rewards[::-1]:
        R = r + 0.95 * R
        rewards.insert(0, R)
    for (action, value), r in zip(model.saved_actions, torch.Tensor(rewards)):
        action.reinforce(r - value.data[0, 0])
        value_loss += F.smooth_l1_loss(value, Variable(torch.Tensor([r])))
    optimizer.zero_grad()
    final_nodes = [value_loss] + [saved.action for saved in model.saved_actions]
    gradients = [torch.ones(1)] + [None] * len(model.saved_actions)
    autograd.backward(final_nodes, gradients)
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]


arrived = []
for walk in range(1, 251):
    cell = CELLS // 2
    while 0 < cell < CELLS - 1:
        cell += 1 if select_action(cell)[0, 0] else -1
        model.rewards.append(1.0 if cell == CELLS - 1 else 0.0)
    arrived.append(model.rewards[-1])
    finish_walk()
    if walk % 25 == 0:
        print("walk {} loss {:.3f}".format(walk, 1.05 - sum(arrived[-25:]) / 25))

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// An ERC-20 token that anybody can mint.
contract TestToken is ERC20("Test dollar", "TUSD") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
